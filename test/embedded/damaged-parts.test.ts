import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import { watchParts } from '../../src/embedded/engines/damaged-parts.js';
import { startClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { keepClickHouse } from '../../src/embedded/engines/kept-engines.js';
import { readSupervisorConfig } from '../../src/embedded/supervisor/supervisor-config.js';
import { quietLog } from '../support/engines.js';
import { isAlive, until, withFolder } from './processes.js';

describe('a part that a full disk has left without its content', () => {
  /** A table of three parts that were merged into one, of which the disk then has what `damage` leaves. */
  const withMergedPart = (use: (scene: Scene) => Promise<void>): Promise<void> =>
    withFolder(async (folder) => {
      const kept = await keepClickHouse(readSupervisorConfig({ DATA_DIR: folder }), quietLog, () => undefined);
      const run = (sql: string) => clickHouseQuery(kept.current(), sql, 60_000);
      try {
        await run('CREATE TABLE t (n UInt64) ENGINE = MergeTree ORDER BY n');
        for (const from of [0, 1_000, 2_000]) await run(`INSERT INTO t SELECT ${from} + number FROM numbers(1000)`);
        await run('OPTIMIZE TABLE t FINAL');
        const part = await run("SELECT path FROM system.parts WHERE table = 't' AND active");
        await use({ run, part, pid: () => kept.current().pid });
      } finally {
        await kept.stop();
      }
    });
  interface Scene {
    run: (sql: string) => Promise<string>;
    /** Its folder. */
    part: string;
    pid: () => number;
  }

  const damages: Record<string, (names: readonly string[]) => readonly string[]> = {
    'all of it': (names) => names,
    'one file of it': (names) => names.filter((name) => name.startsWith('data.cmrk')),
  };
  for (const [what, lost] of Object.entries(damages)) {
    it(`is found when ${what} is empty, and its rows come back from the parts it was made from`, () =>
      withMergedPart(async ({ run, part, pid }) => {
        const before = pid();
        const files = lost(await readdir(part));
        expect(files).to.not.deep.equal([]);
        await Promise.all(files.map((name) => truncate(join(part, name), 0)));
        await until('the engine has started anew', () => pid() !== before);
        expect(await run('SELECT count(), sum(n) FROM t')).to.equal('3000\t4498500');
        expect(await run("SELECT count() FROM system.detached_parts WHERE table = 't'")).to.equal('1');
        await run('OPTIMIZE TABLE t FINAL');
        expect(await run('SELECT count(), sum(n) FROM t')).to.equal('3000\t4498500');
      }));
  }

  it('is found when the engine could not say at first, for longer than a part is new', () =>
    withFolder(async (dataDir) => {
      let asked = 0;
      const engine = await startClickHouse({ dataDir, log: quietLog });
      const proxy = createServer((request, response) => {
        void text(request).then(async (sql) => {
          const isRefused = sql.startsWith('CHECK') && asked++ < 4;
          const answer = isRefused ? 'too busy' : await clickHouseQuery(engine, sql, 60_000);
          response.writeHead(isRefused ? 503 : 200).end(answer);
        });
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const watch = watchParts(() => ({ ...engine, url }), quietLog);
      try {
        await clickHouseQuery(engine, 'CREATE TABLE t (n UInt64) ENGINE = MergeTree ORDER BY n', 60_000);
        await clickHouseQuery(engine, 'INSERT INTO t VALUES (1)', 60_000);
        const part = await clickHouseQuery(engine, "SELECT path FROM system.parts WHERE table = 't'", 60_000);
        await Promise.all((await readdir(part)).map((name) => truncate(join(part, name), 0)));
        await until('the engine is stopped', () => !isAlive(engine.pid));
        expect(asked).to.equal(5);
      } finally {
        await watch.stop();
        await engine.stop();
        await new Promise((resolve) => proxy.close(resolve));
      }
    }));

  it('is the only reason to start the engine anew: parts that are merged and dropped are none', () =>
    withMergedPart(async ({ run, pid }) => {
      const before = pid();
      const startedAt = performance.now();
      // Longer than it takes to look at all of them once.
      for (let round = 0; performance.now() - startedAt < 7_000; round++) {
        await run(`INSERT INTO t SELECT number FROM numbers(100)`);
        if (round % 5 === 0) await run('TRUNCATE TABLE t');
      }
      expect(pid()).to.equal(before);
    }));

  it('is kept from coming about: the engine begins nothing with less than 512 MiB free', () =>
    withMergedPart(async ({ run }) => {
      const disks = await run('SELECT name, keep_free_space FROM system.disks FORMAT TSVRaw');
      expect(disks).to.equal(`default\t${512 * 1024 ** 2}`);
    }));
});
