import { startEngines } from './test/support/engines.js';
import { createWarehouse } from './src/warehouse/client.js';
import { createDatabase, migrate } from './src/warehouse/migrations.js';
const e = await startEngines();
const u = new URL(e.clickhouse.url); u.username=e.clickhouse.username; u.password=e.clickhouse.password;
try {
const admin=createWarehouse({url:u.href,database:'system'}); await createDatabase(admin,{database:'profit',folder:'clickhouse/migrations'});
const w=createWarehouse({url:u.href,database:'profit'}); console.log(await migrate(w,{database:'profit',folder:'clickhouse/migrations'}));
} catch(err){console.log(String((err as Error).message), (err as any).cause?.message)}
await e.stop(); process.exit(0);
