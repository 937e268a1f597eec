import { issuerOf } from './click-networks.js';
import { isPlaceholder } from './placeholder.js';
import type { Parameter } from './url-parameter.js';

/** A click id found on the page URL. `param` is lower case; `value` is empty where it would identify a person. */
export interface ClickId {
  readonly param: string;
  /** Who issued it: `google`, `meta`, `microsoft`, `klaviyo`, … */
  readonly network: string;
  readonly value: string;
}

const LONGEST_VALUE = 512;

/**
 * The click ids of a URL in its order, the first of each name. Values over 512 characters and values that hold personal
 * data are left out, while the parameter and its network are kept. One that no ad network has filled in (`{gclid}`) is none.
 */
export function readClickIds(parameters: readonly Parameter[]): ClickId[] {
  const found: ClickId[] = [];
  for (const { name, value, personal } of parameters) {
    const issuer = issuerOf(name);
    if (issuer === undefined || isPlaceholder(value) || found.some((clickId) => clickId.param === name)) continue;
    const keep = !personal && !issuer.personal && value.length <= LONGEST_VALUE;
    found.push({ param: name, network: issuer.network, value: keep ? value : '' });
  }
  return found;
}
