/**
 * Runs the ClickHouse engine of the npm package chdb in this process: `node clickhouse-child.mjs ARGV_AS_JSON`, where the
 * arguments are those of clickhouse-local. Ends when the engine ends, or at once when the parent is gone. The message
 * `hang up` of the parent closes the terminal that the engine reads from.
 */
import { createRequire } from 'node:module';
import { openTerminal } from './terminal.mjs';

const require = createRequire(import.meta.url);
const dieWithParent = () => process.kill(process.pid, 'SIGKILL');

if (process.send && !process.connected) dieWithParent();
process.on('disconnect', dieWithParent);
// The parent orders the stop by ending the engine's main query; a signal to the whole terminal must not come before.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);

const hangUp = openTerminal();
process.once('message', hangUp);

const { DataType, load, open } = require('ffi-rs');
const args = JSON.parse(process.argv[2]);

open({ library: 'chdb', path: require('chdb/libchdb').resolveLibchdb().path });
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I32,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
  // The engine checks its stack and stays for as long as it serves: a thread of its own suits both.
  runInNewThread: true,
});
process.exit(0);
