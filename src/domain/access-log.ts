import type { Who } from './people.js';

/** A change that somebody made in the app. */
export interface Deed {
  /** Milliseconds since 1970. */
  at: number;
  entryId: string;
  /** Empty: the operator. */
  personId: string;
  /** Of the person at that time. */
  name: string;
  /** A sentence without its subject: `invited Cleo as viewer`. */
  what: string;
  /** Empty: of no shop. */
  shop: string;
}

/** What somebody is about to change. */
export interface Change {
  who: Who;
  what: string;
  shop?: string | undefined;
}

/** Who did what in the app. */
export interface AccessLog {
  note(who: Who, what: string, shop?: string): Promise<void>;
  /**
   * Runs a change whose entry is stored before it begins, so that none is made without one: throws `store_unavailable` where that fails.
   * How it ended is stored in the same entry. A change that was refused has none, and so has one of which `done` gives null; else
   * `done` gives the sentence. Where that is not known (the process was killed, a store is away), the entry says so.
   */
  change<T>(change: Change, work: () => Promise<T>, done?: (result: T) => string | null): Promise<T>;
  /** Newest first, those before an entry where it is given. */
  list(most: number, before?: Pick<Deed, 'at' | 'entryId'>): Promise<Deed[]>;
}

/** What follows the sentence of a change until its end is stored. */
export const OPEN_END = ' (whether it was done is not known)';

/** Of an entry that is no line of the log: nothing was changed. */
export const NOTHING = '';

/** A text of one line, whatever was called so: line breaks and what can't be seen would forge lines of a file. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
