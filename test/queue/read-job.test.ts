import { expect } from 'chai';
import { JOB_SCHEMA } from '../../src/queue/jobs.js';
import { pushesOf, readJob, rowBytes, UnknownSchemaError } from '../../src/queue/read-job.js';
import { packSegments, segmentsOf, type Segment } from '../../src/queue/segments.js';

const packed = (...segments: string[]): string =>
  packSegments(segments.map((text) => ({ head: Buffer.from('#'), rows: Buffer.from(text) }))).toString('base64');
const rowsOf = (list: readonly Segment[]): string[] =>
  list.map(({ head, rows }) => `${head.toString()}${rows.toString()}`);
const header = { shop_id: 'a', batch_id: '1' };

describe('a job of the queue', () => {
  it('of another schema is left in the queue', () => {
    const job = { schema: JOB_SCHEMA, pushes: [{ header, bytes: [1] }], rows: 'r' };
    expect(readJob(job)).to.deep.equal(job);
    for (const schema of [JOB_SCHEMA + 1, JOB_SCHEMA - 1, undefined, String(JOB_SCHEMA)]) {
      expect(() => readJob({ ...job, schema })).to.throw(UnknownSchemaError);
    }
  });

  it('has the bytes of its rows unpacked', () => {
    const pushes = [{ bytes: [2, 1] }, { bytes: [0, 2_000] }];
    expect(rowBytes({ schema: JOB_SCHEMA, pushes, rows: 'r' })).to.equal(2_003);
  });

  it('that is no object is left in the queue as well', () => {
    for (const data of [null, undefined, 5, 'text', []]) {
      expect(() => readJob(data)).to.throw(UnknownSchemaError);
    }
  });

  it('is taken apart into its pushes, each with its own rows of every table', () => {
    const pushes = [
      { id: 'a', bytes: [2, 1] },
      { id: 'b', bytes: [0, 2] },
      { id: 'c', bytes: [1, 0] },
    ];
    const parts = pushesOf({ schema: JOB_SCHEMA, pushes, rows: packed('aac', 'abb') }, 2);
    expect(parts.map((part) => part.pushes.map(({ id }) => id))).to.deep.equal([['a'], ['b'], ['c']]);
    expect(parts.map((part) => rowsOf(segmentsOf(part, 2)))).to.deep.equal([
      ['#aa', '#a'],
      ['#', '#bb'],
      ['#c', '#'],
    ]);
    expect(parts[0] && pushesOf(parts[0], 2)).to.deep.equal([parts[0]]);
  });

  it('whose rows are damaged is told from one that the store refuses', () => {
    expect(() => segmentsOf({ rows: 'bm90IGRlZmxhdGU=' }, 1)).to.throw(RangeError);
    expect(() => segmentsOf({ rows: packed('a') }, 9)).to.throw(RangeError);
  });
});
