/** A text of a file for a terminal, which it must neither fill nor command. */
export function shownText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return cut.replace(/[\p{C}`]/gu, '\ufffd');
}
