/** Why amounts of orders and those of their days differ. */
export const REFUNDS_NOTE =
  'Each order has all its refunds, whatever their day. The overview has refunds on the day on which they were made, so the two ' +
  'differ where that is another one.';
