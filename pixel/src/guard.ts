/** The same function, except that it never throws: an error of the pixel must not become one of the page. */
export function guard<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      run(...args);
    } catch {
      // The page comes first; whatever failed is lost.
    }
  };
}
