/**
 * Ends the process once the work is done, or after `mostMs`: with a store away some of it never ends. What is left then is as
 * after a kill, which loses nothing.
 */
export function endProcess(work: Promise<unknown>, mostMs: number): void {
  setTimeout(() => process.exit(1), mostMs);
  void work.finally(() => process.exit(0));
}
