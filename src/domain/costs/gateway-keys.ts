import { echo, type ErrorDetail } from '../../errors.js';
import { BLANKS, trimBlanks } from '../blanks.js';
import { fieldsOf } from '../fields.js';

// eslint-disable-next-line no-control-regex -- all of ASCII
const IS_ASCII = /^[\x00-\x7f]*$/;

const GAPS = new RegExp(`[${BLANKS}_-]+`, 'gu');
const PLAIN_KEY = /^[a-z0-9]*(?:_[a-z0-9]+)*$/;

/**
 * The form by which spellings of a payment gateway are compared: lower case, no blanks at the ends, and one `_` for each run of
 * blanks, `_` and `-` (`Shopify Payments` is `shopify_payments`). Upper case comes first because some letters have several
 * lower-case forms (ς and σ, ſ and s) or none of one letter (ß).
 */
export function gatewayKey(name: string): string {
  if (PLAIN_KEY.test(name)) return name;
  const lower = IS_ASCII.test(name) ? name.toLowerCase() : name.normalize('NFC').toUpperCase().toLowerCase();
  return trimBlanks(lower).replace(GAPS, '_');
}

/** A gateway may appear once in the `rules` of a body, whatever its spelling. */
export function checkGatewayFeeRules(body: unknown): ErrorDetail[] {
  const { rules } = fieldsOf(body);
  if (!Array.isArray(rules)) return [];
  const seen = new Set<string>();
  return rules.flatMap((rule, i): ErrorDetail[] => {
    const { payment_gateway: name } = fieldsOf(rule);
    if (typeof name !== 'string') return [];
    const key = gatewayKey(name);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const field = `rules[${i}].payment_gateway`;
    const message = `${field} "${echo(name)}" appears twice; case, blanks, underscores and hyphens make no difference.`;
    return [{ code: 'invalid_value', message, field }];
  });
}
