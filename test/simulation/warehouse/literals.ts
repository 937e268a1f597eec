/** Reads the ids that `pairs` of src/warehouse/sql.ts has written into a statement, by shop. */
export function idsIn(sql: string): Map<string, string[]> {
  const [, quoted = ''] = /CAST\('((?:[^'\\]|\\.)*)', 'Array\(Tuple/.exec(sql) ?? [];
  const ids = new Map<string, string[]>();
  for (const [, shopId = '', list = ''] of unescape(quoted).matchAll(SHOP)) {
    const own = ids.get(unescape(shopId)) ?? [];
    ids.set(unescape(shopId), [...own, ...textsIn(list)]);
  }
  return ids;
}

const TEXT = String.raw`'((?:[^'\\]|\\.)*)'`;
/** A shop with one id, or with a list of them. */
const SHOP = new RegExp(String.raw`\(${TEXT},\[?((?:'(?:[^'\\]|\\.)*',?)*)\]?\)`, 'g');

const unescape = (text: string): string => text.replace(/\\(.)/g, '$1');

/** The texts in a list of literals. */
export function textsIn(list: string): string[] {
  return Array.from(list.matchAll(new RegExp(TEXT, 'g')), ([, text = '']) => unescape(text));
}
