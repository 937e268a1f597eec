/** What is used of WebAssembly, which the types of Node leave to those of browsers. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  /** A number that never changes. */
  interface Global {
    readonly value: number;
  }
  const Module: new (bytes: Uint8Array) => object;
  class Instance {
    constructor(module: object, imports: Record<string, Record<string, (...numbers: number[]) => number>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
