import { BLANKS } from '../../domain/blanks.js';
import { literal } from '../sql.js';

/** What `gatewayKey` makes of a column. */
export const gatewayKeyOf = (column: string): string =>
  `replaceRegexpAll(replaceRegexpAll(lowerUTF8(upperUTF8(normalizeUTF8NFC(${column}))),
    ${literal(`^[${BLANKS}]+|[${BLANKS}]+$`)}, ''), ${literal(`[${BLANKS}_-]+`)}, '_')`;
