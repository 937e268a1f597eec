/** How a mark that can mean two things is to be read in a whole file. */
export type Decisions = Partial<Record<Mark, 'decimal' | 'group'>>;
type Mark = ',' | '.';

/** An amount as the API takes it, or the two that a text may mean. */
export type Reading = { value: string } | Open | null;
export interface Open {
  mark: Mark;
  decimal: string;
  group: string;
}

const CURRENCY = /^[€£$¥]\s*|\s*[€£$¥]$/g;
const SPACED = /(\d)[ \u00A0\u202F'’](?=\d{3}(?!\d))/g;

/** Reads what a spreadsheet writes. Null: it is no amount. Nothing is guessed. */
export function readAmount(cell: string, decisions: Decisions): Reading {
  const text = cell.trim().replace(CURRENCY, '').replace(SPACED, '$1');
  if (/^\d+$/.test(text)) return { value: text };
  const [, whole = '', rest = ''] = /^(\d+)([.,][\d.,]*\d)$/.exec(text) ?? [];
  if (whole === '') return null;
  const marks = Array.from(rest.matchAll(/[.,]/g), ([mark]) => mark);
  const digits = text.replace(/[.,]/g, '');
  const last = marks.at(-1) === ',' ? ',' : '.';
  if (marks.length > 1) {
    const decimals = marks.filter((mark) => mark === last).length === 1 ? (rest.split(last)[1] ?? '') : '';
    const grouped = decimals === '' ? text : text.slice(0, -decimals.length - 1);
    if (!/^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(grouped)) return null;
    return { value: decimals === '' ? digits : `${grouped.replace(/[.,]/g, '')}.${decimals}` };
  }
  const decimals = rest.slice(1);
  const decimal = `${whole}.${decimals}`;
  // A point is usual for decimals here, unless it parts thousands; a comma may be either. No number begins with a zero.
  const canGroup = !whole.startsWith('0') && (last === ',' || (decimals.length === 3 && whole.length <= 3));
  if (!canGroup) return { value: decimal };
  const decided = decisions[last];
  if (decided === undefined) return { mark: last, decimal, group: digits };
  return { value: decided === 'decimal' ? decimal : digits };
}
