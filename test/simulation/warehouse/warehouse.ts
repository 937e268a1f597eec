import { ClickHouseError } from '@clickhouse/client';
import { unavailable } from '../../../src/errors.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { SETTINGS } from '../../../src/warehouse/statement-settings.js';
import { toUnavailable } from '../../../src/warehouse/failures.js';
import { wholeRows } from '../../../src/warehouse/whole-answer.js';
import type { Process } from '../world/scheduler.js';
import type { World } from '../world/world.js';
import { partsOf, type Part, type Step } from './inserts.js';
import { productRequests, PRODUCTS_OF_DAYS } from './products.js';
import { answerOf, tombstonesOf } from './queries.js';
import { readInsert, readJsonRows, type Row } from './row-reader.js';

/** Codes of ClickHouse: a refusal that passes, rows that are at fault, and a stored part that is damaged. */
const MEMORY_LIMIT = { code: '241', type: 'MEMORY_LIMIT_EXCEEDED' };
const BAD_DATA = { code: '27', type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED' };
const DAMAGED_PART = { code: '33', type: 'CANNOT_READ_ALL_DATA' };
const PATIENT_MS = 60_000;
const DEDUPLICATES: number = SETTINGS.insert_deduplicate;

type Outcome = 'done' | 'refused' | 'partial' | 'late' | 'repeated';

/** The warehouse as one process sees it. */
export function createSimulatedWarehouse(world: World, process: Process): Warehouse {
  const { scheduler, tables, travelMs } = world;
  const { random, now, at } = scheduler;
  const away = (): Error => unavailable('store_unavailable', 'The warehouse is away.', new Error('no connection'));
  const answered = ({ code, type }: typeof BAD_DATA, isInsert: boolean): Error =>
    toUnavailable(new ClickHouseError({ message: type, code, type }), { isInsert });
  const failureOfInsert = (): Error => (random.chance(0.5) ? away() : answered(MEMORY_LIMIT, true));
  /** An error, or, as from a full disk, an answer of status 200 that has none of the rows, or not all. */
  const failedAnswer = <Row>(rows: Row[], chance: number): Row[] => {
    if (chance >= 0.5) throw answered(chance < 0.75 ? MEMORY_LIMIT : DAMAGED_PART, false);
    const sent = rows.slice(0, Math.max(0, Math.floor(rows.length * (4 * chance - 1))));
    if (world.isWarehouseDown || chance < 0.2 || sent.length === rows.length) throw away();
    return wholeRows(sent, { 'x-clickhouse-summary': JSON.stringify({ result_rows: String(rows.length) }) });
  };
  const reply = (ms: number, run: () => void): void => void at(now() + ms, process, run);

  /** Steps of each part in their order, with time between them. */
  const perform = (parts: readonly Part[], gapMs: number, done: () => void): void => {
    let open = parts.length;
    if (open === 0) done();
    const next = (steps: readonly Step[], i: number): void => {
      const step = steps[i];
      if (step === undefined) {
        if (--open === 0) done();
        return;
      }
      at(now() + random.next() * gapMs, null, () => {
        step();
        world.busyAt = now();
        next(steps, i + 1);
      });
    };
    for (const part of parts) next(part, 0);
  };

  /** Whether a replicated table takes the block for one that it has: then it feeds no view either. */
  const isRepeat = (table: string, rows: readonly Row[]): boolean => {
    if (!world.isReplicated || DEDUPLICATES === 0 || table.endsWith('_requests') || table === PRODUCTS_OF_DAYS)
      return false;
    const block = `${table} ${JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
    if (world.blocks.has(block)) return true;
    world.blocks.add(block);
    return false;
  };

  const outcome = (): Outcome => {
    const { insertRefused, insertPartial, insertLate, insertRepeated } = world.faults;
    if (world.isWarehouseDown || random.chance(insertRefused)) return 'refused';
    if (random.chance(insertPartial)) return 'partial';
    if (random.chance(insertLate)) return 'late';
    return random.chance(insertRepeated) ? 'repeated' : 'done';
  };

  /** What is done of an insert that is cut off: some of its parts, some of them not to their end, some rows alone. */
  const cutOff = (table: string, rows: readonly Row[]): Part[] => {
    const some = random.chance(0.5) ? rows : rows.slice(0, random.int(0, rows.length));
    return partsOf(tables, table, some).map((part) => part.slice(0, random.int(0, part.length)));
  };

  const insert = (table: string, rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0 || table === 'rejections') return Promise.resolve();
    return new Promise((resolve, reject) => {
      at(now() + travelMs(), null, () => {
        const gapMs = random.chance(world.faults.insertSlow) ? 8_000 : 4;
        const isBad = rows.some((row) => world.poisoned.has(String(row.order_id)));
        const kind = isBad && random.chance(0.9) ? 'bad' : outcome();
        if (kind === 'bad' || kind === 'refused') {
          const error = kind === 'bad' ? answered(BAD_DATA, true) : failureOfInsert();
          reply(travelMs(), () => reject(error));
          return;
        }
        if (isRepeat(table, rows)) {
          reply(travelMs(), resolve);
          return;
        }
        world.underWay++;
        const ended = (): void => {
          world.underWay--;
        };
        switch (kind) {
          case 'partial': {
            const error = failureOfInsert();
            const parts = cutOff(table, rows);
            perform(parts, gapMs, () => {
              ended();
              reply(travelMs(), () => reject(error));
            });
            break;
          }
          case 'late':
            reply(travelMs(), () => reject(away()));
            at(now() + random.int(10, 20_000), null, () => perform(partsOf(tables, table, rows), gapMs, ended));
            break;
          default: {
            // What a connection sent twice arrives twice.
            if (kind === 'repeated') {
              at(now() + random.int(0, 10_000), null, () =>
                perform(partsOf(tables, table, rows), gapMs, () => undefined),
              );
            }
            perform(partsOf(tables, table, rows), gapMs, () => {
              ended();
              reply(travelMs(), resolve);
            });
          }
        }
      });
    });
  };

  return {
    query: () => Promise.reject(new Error('no query without a name is simulated')),
    ask: (query, { waitMs = PATIENT_MS } = {}) =>
      new Promise((resolve, reject) => {
        at(now() + travelMs(), null, () => {
          if (world.isWarehouseDown || random.chance(world.faults.queryFails)) {
            world.failedQueries++;
            const chance = random.next();
            const rows = answerOf(tables, query);
            reply(travelMs(), () => {
              try {
                resolve(failedAnswer(rows, chance));
              } catch (error) {
                reject(toUnavailable(error, { isInsert: false }));
              }
            });
            return;
          }
          const rows = answerOf(tables, query);
          // It answers late what was true before.
          const ms = random.chance(world.faults.querySlow) ? random.int(0, 9_000) : travelMs();
          if (ms > waitMs) {
            world.failedQueries++;
            reply(waitMs, () => reject(away()));
          } else reply(ms, () => resolve(rows));
        });
      }),
    insert: (table, rows) => insert(table, readJsonRows(rows as Row[])),
    insertBytes({ name, sql }, bytes) {
      if (name === 'insert rejections') return Promise.resolve();
      const { table, rows } = readInsert(sql, bytes);
      return insert(table, rows);
    },
    queryBytes: () => Promise.reject(new Error('no reading of bytes is simulated')),
    stream() {
      throw new Error('no reading of bytes is simulated');
    },
    run({ name, sql }) {
      if (name === 'tombstones of orders') return insert('order_days', tombstonesOf(tables, sql));
      if (name === PRODUCTS_OF_DAYS) return insert(name, productRequests(sql));
      if (name === 'count hours of pushes' || name === 'complete the history of settings') return Promise.resolve();
      return Promise.reject(new Error(`a statement that the simulation does not know: ${name}`));
    },
    command: () => Promise.reject(new Error('no statement without a name is simulated')),
    ping: () => Promise.resolve(!world.isWarehouseDown),
    close: () => Promise.resolve(),
  };
}
