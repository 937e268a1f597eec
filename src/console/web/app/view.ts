import type { Address } from './address.js';

/** A shop that has told its currency, and the days that the address asks for. */
export interface View {
  shop: string;
  currency: string;
  timezone: string;
  address: Address;
  from: string;
  to: string;
}
