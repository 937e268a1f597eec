/** A set from a text of words separated by blanks: long tables stay readable and small in the source. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
