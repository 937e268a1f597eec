/** A yes or a no to analytics and to marketing; undefined where nothing is said. */
export type Answer = readonly [analytics?: boolean | undefined, marketing?: boolean | undefined];

/** What one source of consent says now: what the visitor chose, and what holds until they choose. */
export type Reading = readonly [choice?: Answer | undefined, preset?: Answer | undefined];

export const SILENT: Reading = [];
export const DENIED: Reading = [undefined, [false, false]];

/**
 * Reads a source afresh; undefined where it is there but has not answered yet. It may throw where the page's own code is
 * at fault: such a source says nothing.
 */
export type Reader = () => Reading | undefined;
