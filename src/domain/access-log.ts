import type { Who } from './people.js';

/** A change that somebody made in the app. */
export interface Deed {
  /** Milliseconds since 1970. */
  at: number;
  entryId: string;
  /** Of the person at that time. */
  name: string;
  /** A sentence without its subject: `invited Cleo as viewer`. */
  what: string;
  /** Empty: of no shop. */
  shop: string;
}

/** Who did what in the app. */
export interface AccessLog {
  note(who: Who, what: string, shop?: string): Promise<void>;
  /** Newest first, those before an entry where it is given. */
  list(most: number, before?: Pick<Deed, 'at' | 'entryId'>): Promise<Deed[]>;
}
