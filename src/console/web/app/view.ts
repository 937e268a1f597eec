import type { Address } from './address.js';

/** A shop whose currency is known, and the days that the address asks for. */
export interface View {
  shop: string;
  currency: string;
  timezone: string;
  address: Address;
  from: string;
  to: string;
}
