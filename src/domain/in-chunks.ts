/** The list in parts of at most `size` entries, or whose entries weigh so much together. */
export function* inChunks<T>(
  list: readonly T[],
  size: number,
  weightOf: (entry: T) => number = () => 1,
): Generator<T[]> {
  let chunk: T[] = [];
  let weight = 0;
  for (const entry of list) {
    weight += weightOf(entry);
    if (weight > size && chunk.length > 0) {
      yield chunk;
      chunk = [];
      weight = weightOf(entry);
    }
    chunk.push(entry);
  }
  if (chunk.length > 0) yield chunk;
}
