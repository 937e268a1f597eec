import { HoldError, type Hold } from './holds.js';
import { createNotes, type NoteCode, type Notes } from './notes.js';
import type { ConvertedOrder } from './to-order.js';

/** What becomes of an order of a platform. */
export type Conversion = { order: ConvertedOrder; notes: NoteCode[] } | { hold: Hold };

/** Runs the conversion of one order; one that has to be held back is no exception to the caller. */
export function conversionOf(convert: (notes: Notes) => ConvertedOrder): Conversion {
  const notes = createNotes();
  try {
    return { order: convert(notes), notes: notes.codes };
  } catch (error) {
    if (error instanceof HoldError) return { hold: error.hold };
    throw error;
  }
}
