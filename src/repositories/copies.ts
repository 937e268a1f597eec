import { unavailable } from '../errors.js';

/** What Redis has of a record that the warehouse holds too. */
export interface Copy<Kept> {
  /** Null: Redis has no copy, or gave no answer. */
  kept: Kept | null;
  /** False: Redis gave no answer, so it may know what the warehouse does not. */
  isAnswered: boolean;
  /** Throws `store_unavailable` unless Redis answered: that the warehouse has no record then proves nothing. */
  requireAnswer(): void;
}

export async function copyOf<Kept>(asked: Promise<Kept | null>): Promise<Copy<Kept>> {
  try {
    return { kept: await asked, isAnswered: true, requireAnswer: () => undefined };
  } catch (error) {
    const requireAnswer = (): never => {
      const message = 'Redis is out of reach, so whether this exists is not known; try again shortly.';
      throw unavailable('store_unavailable', message, error);
    };
    return { kept: null, isAnswered: false, requireAnswer };
  }
}
