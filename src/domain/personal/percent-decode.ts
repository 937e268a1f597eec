/**
 * Percent-decoding that never throws. What is no valid UTF-8 stays as it is, but its ASCII characters are decoded all
 * the same (also in the old `%u0040` form), so that one broken sequence cannot hide an `@` next to it.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%u00([0-7][0-9a-f])|%([0-7][0-9a-f])/gi, (_match, wide?: string, narrow?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '', 16)),
    );
  }
}

/** Decodes a query name or value once: `+` is a space. */
export function formDecode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
