import { expect } from 'chai';
import fc from 'fast-check';
import { RowBinaryWriter } from '../../../src/warehouse/columns/row-binary.js';
import { StampedRowWriter } from '../../../src/warehouse/columns/stamped-rows.js';

describe('StampedRowWriter', () => {
  it('encodes the rows of the accepted items, each with its stamp, as if each had been written alone', () => {
    const item = fc.record({ id: fc.string(), versions: fc.array(fc.nat(), { maxLength: 3 }), accepted: fc.boolean() });
    const first = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 100 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), first, (items, stamp) => {
        const writer = new StampedRowWriter(1);
        const wanted = new RowBinaryWriter(1);
        items.forEach(({ id, versions, accepted }, i) => {
          for (const version of versions) {
            writer.string(id);
            writer.version(version);
            if (!accepted) continue;
            wanted.string(id);
            wanted.uint128(version, stamp + 2 * i);
          }
          writer.endItem();
        });
        const rows = writer.stamped(
          items.map(({ accepted }) => accepted),
          stamp,
        );
        expect(rows.equals(wanted.bytes())).to.equal(true);
      }),
    );
  });
});
