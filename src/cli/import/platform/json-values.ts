/** A JSON text of one order; `line` is that on which it begins, from 1. */
export interface JsonText {
  text: string;
  line: number;
}

/** A file that can't be read as orders; the message is for people. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Far more than an order has; a file whose brackets don't close must not be taken into memory. */
const LONGEST_ORDER = 32_000_000;
/** Where the orders of an answer are: `{ "orders": [ … ] }`, and the connections of GraphQL. */
const LISTS = /^(data\.)?orders(\.(nodes|edges))?$/;
const DEEPEST_KEY = 4;
const LONGEST_KEY = 64;

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;
const COLON = 58;
const COMMA = 44;
const OPENINGS = new Set([91, 123]);
const CLOSINGS = new Set([93, 125]);
const LIST = 91;

/**
 * Cuts JSON into the texts of its orders: lines, several values after each other, one list, or the list in the answer of an API.
 * One order is in memory, whatever the file.
 *
 * @throws FileError for what is no JSON, and for a file that ends within an order
 */
export async function* jsonTexts(chunks: AsyncIterable<string>): AsyncGenerator<JsonText> {
  const cutter = createCutter();
  for await (const chunk of chunks) yield* cutter.take(chunk);
  cutter.end();
}

function createCutter() {
  let line = 1;
  /** Open brackets, and how many of them are around the orders of the list that is being read. */
  let depth = 0;
  let around = 0;
  /** Keys from the outermost object to the value that comes next, while that may be the list of orders. */
  let keys: string[] = [];
  let mayWrap = false;
  let inText = false;
  let escaped = false;
  let word = '';
  /** Text of the value that is being read, from earlier chunks. */
  let begun: string | undefined;
  let begunLine = 1;
  /** After the list of an answer: what follows in it is not needed. */
  let isDrained = false;

  function* take(chunk: string): Generator<JsonText> {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const char = chunk.charCodeAt(i);
      if (char === NEWLINE) line++;
      if (inText) {
        if (escaped) escaped = false;
        else if (char === BACKSLASH) escaped = true;
        else if (char === QUOTE) inText = false;
        else if (mayWrap && depth <= DEEPEST_KEY && word.length < LONGEST_KEY) word += chunk.charAt(i);
      } else if (char === QUOTE) {
        if (begun === undefined && !isDrained) throw noJson(chunk, i);
        inText = true;
        word = '';
      } else if (OPENINGS.has(char)) {
        if (begun === undefined && !isDrained) {
          if (depth === 0 && char === LIST) {
            depth = around = 1;
            continue;
          }
          begun = '';
          begunLine = line;
          from = i;
          mayWrap = around === 0;
          keys = [];
        } else if (mayWrap && char === LIST && depth === keys.length && LISTS.test(keys.join('.'))) {
          begun = undefined;
          mayWrap = false;
          depth++;
          around = depth;
          continue;
        }
        depth++;
      } else if (CLOSINGS.has(char)) {
        if (depth === 0) throw noJson(chunk, i);
        depth--;
        keys.length = Math.min(keys.length, depth);
        if (begun !== undefined && depth === around) {
          yield { text: begun + chunk.slice(from, i + 1), line: begunLine };
          begun = undefined;
        } else if (begun === undefined && depth < around) {
          isDrained = depth > 0;
          around = 0;
        } else if (isDrained && depth === 0) {
          isDrained = false;
        }
      } else if (char === COLON) {
        if (mayWrap && depth <= DEEPEST_KEY && keys.length === depth - 1) keys.push(word);
      } else if (char === COMMA) {
        if (mayWrap && keys.length === depth) keys.pop();
      } else if (begun === undefined && !isDrained && !isBlank(char)) {
        throw noJson(chunk, i);
      }
    }
    if (begun === undefined) return;
    begun += chunk.slice(from);
    if (begun.length > LONGEST_ORDER) throw new FileError(`the order that begins in line ${begunLine} is too large`);
  }

  function noJson(chunk: string, at: number): FileError {
    const found = chunk.slice(at, at + 20).split('\n', 1)[0] ?? '';
    return new FileError(`line ${line} is not JSON: it has ${JSON.stringify(found)} where an order should begin`);
  }

  return {
    take,
    end(): void {
      if (begun !== undefined) {
        throw new FileError(`the file is cut short: it ends within the order that begins in line ${begunLine}`);
      }
      if (depth > 0 || inText) throw new FileError('the file is cut short: its list of orders does not end');
    },
  };
}

function isBlank(char: number): boolean {
  return char === 32 || (char >= 9 && char <= 13) || char === 0xfeff;
}
