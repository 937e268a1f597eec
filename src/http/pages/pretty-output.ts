const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:…]|[^"{}[\],:…]+/g;
const opens = (token = ''): boolean => token === '{' || token === '[';
const closes = (token = ''): boolean => token === '}' || token === ']';

/** One line of JSON, in which `…` is what was left out, with a line for each field; any other text as it is. */
export function prettyOutput(text: string): string {
  if (!/^[{[].*[}\]]$/.test(text)) return text;
  const tokens = text.match(TOKENS) ?? [];
  let shown = '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [i, token] of tokens.entries()) {
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    if (opens(token)) {
      depth++;
      const isEmpty = closes(next) || (next === '…' && closes(tokens[i + 2]));
      shown += isEmpty ? token : token + line();
    } else if (closes(token)) {
      // What was left out opened it.
      if (--depth < 0) return text;
      const isEmpty = opens(before) || (before === '…' && opens(tokens[i - 2]));
      shown += isEmpty ? token : line() + token;
    } else if (token === ',') shown += token + line();
    else if (token === ':') shown += ': ';
    else if (token === '…') shown += closes(next) || next === ',' ? token : token + line();
    else shown += token;
  }
  return depth === 0 ? shown : text;
}
