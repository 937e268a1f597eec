import { expect } from 'chai';
import fc from 'fast-check';
import { jobBytes } from '../../src/queue/jobs.js';
import { packSegments, segmentsOf } from '../../src/queue/segments.js';

describe('the bytes of a job', () => {
  it('are the JSON of its data, from which the segments come back', () => {
    const rest = fc.record({ schema: fc.constant(3 as const), ids: fc.array(fc.string({ unit: 'grapheme' })) });
    const segments = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 });
    fc.assert(
      fc.property(rest, segments, (data, bytes) => {
        const buffers = bytes.map((one) => Buffer.from(one));
        const written = jobBytes({ rows: packSegments(buffers), ...data });
        const { rows, ...read } = JSON.parse(written.toString('utf8')) as { rows: string };
        expect(read).to.deep.equal(data);
        expect(segmentsOf({ schema: 3, rows }, buffers.length)).to.deep.equal(buffers);
      }),
    );
  });
});
