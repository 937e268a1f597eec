/** The same function, except that it never fails: an error of the pixel must not become one of the page. */
export function guard<A extends unknown[]>(run: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    // Runs at once, like any function; what an async one meets later is caught as well. Whatever failed is lost.
    new Promise((settle) => settle(run(...args))).catch(() => undefined);
  };
}
