/** SHA-256 of a text. It fails on pages that are not a secure context: the browser offers no digest there. */
export const digest = (text: string): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
