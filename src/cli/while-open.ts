/** Gives something to the work and closes it when that ends, however it ends. */
export async function whileOpen<Opened extends { close(): Promise<unknown> }, Result>(
  opened: Opened,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
