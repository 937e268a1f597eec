import { expect } from 'chai';
import { JOB_SCHEMA } from '../../src/queue/jobs.js';
import { readJob, rowBytes, splitJob, UnknownSchemaError } from '../../src/queue/read-job.js';
import { packSegments, segmentsOf, type Segment } from '../../src/queue/segments.js';
import { packOfFirstRelease } from '../support/first-release.js';

const packed = (schema: number, ...segments: string[]): string =>
  packSegments(
    schema,
    segments.map((text) => ({ head: Buffer.from('#'), rows: Buffer.from(text) })),
  ).toString('base64');
const rowsOf = (list: readonly Segment[]): string[] =>
  list.map(({ head, rows }) => `${head.toString()}${rows.toString()}`);
const header = { shop_id: 'a', batch_id: '1' };

describe('a job of the queue', () => {
  it('of the first release is read as one push', () => {
    expect(readJob({ schema: 1, header, order_ids: ['x'], rows: 'r' })).to.deep.equal({
      schema: 1,
      rows: 'r',
      pushes: [{ header, order_ids: ['x'] }],
    });
  });

  it('of events of the first release is read as a push a shop', () => {
    const shops = [{ header, visitors: ['v'] }];
    expect(readJob({ schema: 1, shops, rows: 'r' })).to.deep.equal({ schema: 1, rows: 'r', pushes: shops });
  });

  it('of this release, and of the two before, is read as it is', () => {
    for (const schema of [3, 4, JOB_SCHEMA]) {
      const job = { schema, pushes: [{ header, bytes: [1] }], rows: 'r' };
      expect(readJob(job)).to.deep.equal(job);
    }
  });

  it('of a later release is left in the queue', () => {
    for (const schema of [JOB_SCHEMA + 1, undefined, '3']) {
      expect(() => readJob({ schema, pushes: [], rows: '' })).to.throw(UnknownSchemaError);
    }
  });

  it('tells the bytes of its rows unpacked, where it knows them', () => {
    const pushes = [{ bytes: [2, 1] }, { bytes: [0, 2_000] }];
    expect(rowBytes({ schema: JOB_SCHEMA, pushes, rows: 'r' })).to.equal(2_003);
    expect(rowBytes({ schema: 2, pushes, rows: 'rows' })).to.equal(4);
  });

  it('that is no object is left in the queue as well', () => {
    for (const data of [null, undefined, 5, 'text', []]) {
      expect(() => readJob(data)).to.throw(UnknownSchemaError);
    }
  });

  it('is split between two pushes, each with its own rows of every table', () => {
    const pushes = [
      { id: 'a', bytes: [2, 1] },
      { id: 'b', bytes: [0, 2] },
      { id: 'c', bytes: [1, 0] },
    ];
    for (const [schema, head] of [
      [3, ''],
      [JOB_SCHEMA, '#'],
    ] as const) {
      const halves = splitJob({ schema, pushes, rows: packed(schema, 'aac', 'abb') }, 2) ?? [];
      expect(halves.map((half) => half.pushes.map(({ id }) => id))).to.deep.equal([['a'], ['b', 'c']]);
      expect(halves.map((half) => rowsOf(segmentsOf(half, 2)))).to.deep.equal([
        [`${head}aa`, `${head}a`],
        [`${head}c`, `${head}bb`],
      ]);
      expect(halves[0] && splitJob(halves[0], 2)).to.equal(null);
    }
  });

  it('whose rows are damaged is told from one that the store refuses', () => {
    for (const schema of [1, 3, JOB_SCHEMA]) {
      expect(() => segmentsOf({ schema, rows: 'bm90IHNuYXBweQ==' }, 1)).to.throw(RangeError);
    }
    expect(() => segmentsOf({ schema: 3, rows: packed(3, 'a') }, 9)).to.throw(RangeError);
  });

  it('of the first release has its rows compressed with Snappy', () => {
    const rows = packOfFirstRelease([Buffer.from('a'), Buffer.from('bc')]).toString('base64');
    expect(rowsOf(segmentsOf({ schema: 1, rows }, 2))).to.deep.equal(['a', 'bc']);
  });
});
