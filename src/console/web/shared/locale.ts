/** The reader's language; the runtime's own where there is no browser. */
export function locale(): string | undefined {
  return (globalThis as { navigator?: { language?: string } }).navigator?.language;
}
