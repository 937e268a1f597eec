/** Within the 2 s that a health check takes at most, whatever else it waits for. */
const PATIENCE_MS = 1_200;

/**
 * Whether a store answers in good time. Those who ask while a question is under way share it, so that a store that is frozen
 * is asked once, however many health checks come.
 */
export function createProbe(ask: () => Promise<boolean>): () => Promise<boolean> {
  let underWay: Promise<boolean> | null = null;
  return async () => {
    underWay ??= ask()
      .catch(() => false)
      .finally(() => (underWay = null));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    return Promise.race([underWay, late]).finally(() => clearTimeout(timer));
  };
}
