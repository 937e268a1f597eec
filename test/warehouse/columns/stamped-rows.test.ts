import { expect } from 'chai';
import fc from 'fast-check';
import { OCCASION, type Occasion } from '../../../src/domain/orders/orders.js';
import { RowBinaryWriter } from '../../../src/warehouse/columns/row-binary.js';
import { StampedRowWriter, stampRows } from '../../../src/warehouse/columns/stamped-rows.js';

const occasionOf = (i: number): Occasion => (i % 2 === 0 ? OCCASION.known : OCCASION.clock);

describe('rows without stamps', () => {
  it('become those of the accepted items, each with its stamp and occasion, as if each had been written alone', () => {
    const item = fc.record({ id: fc.string(), versions: fc.array(fc.nat(), { maxLength: 3 }), accepted: fc.boolean() });
    const first = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 100 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), first, fc.boolean(), (items, stamp, hasOccasion) => {
        const writer = new StampedRowWriter(1);
        const wanted = new RowBinaryWriter(1);
        items.forEach(({ id, versions, accepted }, i) => {
          for (const version of versions) {
            writer.string(id);
            writer.version(version);
            if (hasOccasion) writer.uint8(OCCASION.new);
            if (!accepted) continue;
            wanted.string(id);
            wanted.uint128(version, stamp + 2 * i);
            if (hasOccasion) wanted.uint8(occasionOf(i));
          }
          writer.endItem();
        });
        const unstamped = Buffer.from(writer.unstamped());
        expect(writer.unstamped().equals(unstamped)).to.equal(true);
        const isAccepted = (i: number): boolean => items[i]?.accepted === true;
        const rows = stampRows(unstamped, isAccepted, stamp, hasOccasion ? occasionOf : undefined);
        expect(Buffer.concat(rows).equals(wanted.bytes())).to.equal(true);
      }),
    );
  });
});
