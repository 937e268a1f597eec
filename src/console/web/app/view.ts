import type { Range } from '../shared/days.js';
import type { Address } from './address.js';
import type { Comparison } from './range.js';

/** A shop whose currency is known, and the days that the address asks for. */
export interface View extends Range {
  shop: string;
  currency: string;
  timezone: string;
  address: Address;
  /** What the days are compared with. */
  vs: Comparison;
}
