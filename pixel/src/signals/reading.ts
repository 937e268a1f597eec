/** A yes or a no to analytics and to marketing; undefined where nothing is said. */
export type Answer = readonly [analytics?: boolean | undefined, marketing?: boolean | undefined];

/** What one source of consent says now. */
export interface Reading {
  /** What the visitor chose. */
  choice?: Answer | undefined;
  /** What holds until the visitor chooses. */
  preset?: Answer | undefined;
  /** The source is there, but has not answered yet. */
  pending?: boolean;
}

/** Reads a source afresh. It may throw where the page's own code is at fault: such a source says nothing. */
export type Reader = () => Reading;
