/**
 * Ends the process once the work is done, or after `mostMs`: without a store the work may never end. Ending it then is like a kill,
 * which loses nothing.
 */
export function endProcess(work: Promise<unknown>, mostMs: number): void {
  setTimeout(() => process.exit(1), mostMs);
  void work.finally(() => process.exit(0));
}
