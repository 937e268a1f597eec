import { expect } from 'chai';
import fc from 'fast-check';
import { JOB_SCHEMA, jobBytes } from '../../src/queue/jobs.js';
import { packSegments, segmentsOf } from '../../src/queue/segments.js';

describe('the bytes of a job', () => {
  it('are the JSON of its data, from which the segments come back', () => {
    const rest = fc.record({ schema: fc.constant(JOB_SCHEMA), ids: fc.array(fc.string({ unit: 'grapheme' })) });
    const bytes = fc.uint8Array({ maxLength: 300 }).map((one) => Buffer.from(one));
    const segments = fc.array(fc.record({ head: bytes, rows: bytes }), { maxLength: 3 });
    fc.assert(
      fc.property(rest, segments, (data, list) => {
        const written = jobBytes({ rows: packSegments(list), ...data });
        const { rows, ...read } = JSON.parse(written.toString('utf8')) as { rows: string };
        expect(read).to.deep.equal(data);
        expect(segmentsOf({ rows }, list.length)).to.deep.equal(list);
      }),
    );
  });
});
