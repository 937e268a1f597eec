/** Lower-case hex of the bytes. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random UUID, version 4. `crypto.randomUUID` is missing on plain-http pages, `getRandomValues` is not. */
export function uuid(): string {
  const digits = hex(crypto.getRandomValues(new Uint8Array(16)));
  return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
