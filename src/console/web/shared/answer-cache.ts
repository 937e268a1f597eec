/** The last answers of reads of figures, for when the store of figures is away. They are one session's, and end with it. */

import type { Failure } from './request.js';

/** An answer as JSON, and when it was read. */
interface Kept {
  text: string;
  readAt: number;
}

/** What a page leaves to the next one of its tab. */
interface Left {
  session: string;
  answers: [string, Kept][];
}

const KEY = 'kept';
const MAX_COUNT = 40;
const MAX_CHARS = 1_000_000;
/** What was pushed, people and settings are not kept. */
const FIGURES =
  /^\/app\/api\/(?:shops$|figures\?|shops\/[^/]+\/v1\/(?:metrics|orders|products|attribution|restatements|connections|ingest\/status)(?:[/?]|$))/;

/** By path, the oldest first. */
const answers = new Map<string, Kept>();
/** Undefined: not known yet; null: over. */
let session: string | null | undefined;
let begin: (() => void) | undefined;
const begun = new Promise<void>((resolve) => (begin = resolve));

export function keep(path: string, text: string): void {
  if (session === null || text.length > MAX_CHARS || !FIGURES.test(path)) return;
  add([[path, { text, readAt: Date.now() }]]);
}

/** The newest, within the bounds. */
function add(newer: readonly [string, Kept][]): void {
  for (const [path, kept] of newer) {
    answers.delete(path);
    answers.set(path, kept);
  }
  let chars = 0;
  for (const [i, [path, { text }]] of [...answers].reverse().entries()) {
    chars += text.length;
    if (i >= MAX_COUNT || chars > MAX_CHARS) answers.delete(path);
  }
}

/** The last answer where the store is away, once the session is known; null where there is none. */
export async function lastAnswer(path: string, { status }: Failure): Promise<Kept | null> {
  if (status !== 503 && status !== 0) return null;
  await begun;
  return answers.get(path) ?? null;
}

/** Tells whose all answers are from now on: those of another session are dropped. */
export function keepFor(id: string): void {
  if (session === null) return;
  if (session === undefined) add([...stored(id), ...answers]);
  else if (session !== id) answers.clear();
  session = id;
  begin?.();
}

/** Drops all, where the session is over. */
export function dropKept(): void {
  session = null;
  answers.clear();
  store(null);
}

/** What the page before in this tab has left, if it was of this session. */
function stored(id: string): [string, Kept][] {
  try {
    const left = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Left | null;
    return left?.session === id ? left.answers : [];
  } catch {
    return [];
  }
}

/** Storage may be off or full: a page that is loaded again then has nothing to show. */
function store(text: string | null): void {
  try {
    sessionStorage.removeItem(KEY);
    if (text !== null) sessionStorage.setItem(KEY, text);
  } catch {
    // As above.
  }
}

addEventListener('pagehide', () => {
  if (typeof session === 'string') store(JSON.stringify({ session, answers: [...answers] } satisfies Left));
});
