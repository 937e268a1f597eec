import { readFileSync } from 'node:fs';
import { composeVisit, readPage, readReferrer, type Page, type Referrer } from '../../domain/events/visit.js';
import { COLLECT_BODY_BYTES } from '../../schemas/collect.js';
import { writeChannel, writePage, writeReferrer } from '../../warehouse/events.js';
import { RowBinaryWriter } from '../../warehouse/row-binary.js';

/** A batch of ordinary events, as pixels write it: ASCII without escapes, and nothing in it but known texts of valid form. */
export interface PlainBatch {
  /** Null: it is not in the body. */
  token: string | null;
  events: number;
}

/** What is not in the bytes of a batch. */
export interface PlainContext {
  shopId: string;
  /** The shop's own host; empty when it has none. */
  shopHost: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Of the first event, in microseconds; the next ones follow it. */
  arrival: number;
}

/** The rows of `events` that a batch comes to. */
export interface PlainRows {
  /** The rows in RowBinary, compressed to elements of Snappy. */
  elements: Buffer;
  /** Bytes of the rows before. */
  length: number;
  /** `anon_id` of each visitor. */
  visitors: string[];
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
}

/** Makes rows of plain batches, one after the other: what a call gives is good until the next. */
export interface PlainEncoder {
  /** Null for everything that is no plain batch, right or wrong. */
  read(body: Buffer): PlainBatch | null;
  /** The rows of the batch that was read last; null when one of its events may have to be dropped. */
  encode(context: PlainContext): PlainRows | null;
}

/** What `assembly/` exports. */
interface Assembly {
  memory: WebAssembly.Memory;
  body: WebAssembly.Global;
  findings: WebAssembly.Global;
  answer: WebAssembly.Global;
  shopId: WebAssembly.Global;
  packed: WebAssembly.Global;
  read: (length: number) => number;
  encode: (shopIdLength: number, shopHost: number, receivedAt: number, arrival: number) => number;
  forget: () => void;
}

const file = new URL(
  import.meta.url.includes('/dist/src/') ? 'plain.wasm' : '../../../dist/src/intake/plain/plain.wasm',
  import.meta.url,
);
/** Sizes of memory, as in `assembly/`. */
const MOST_COLUMNS = 32 * 1024;
const MOST_SHOP_ID = 4096;
const MOST_KINDS = 10_000;

/** Where it stands in the findings of `assembly/index.ts`. */
const SINCE = 0;
const TOKEN = 8;
const COUNT = 16;
const ROWS_LENGTH = 20;
const PACKED_LENGTH = 24;
const VISITORS = 28;
const FIRST_VISITOR = 32;

/** Things numbered from 1 by what is the same about them. */
class Kinds<T> {
  readonly #numbers = new Map<string, number>();
  readonly #things: T[] = [];

  get size(): number {
    return this.#things.length;
  }

  get(number: number): T | undefined {
    return this.#things[number - 1];
  }

  numberOf(text: string, thing: T): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#things.push(thing);
      this.#numbers.set(text, number);
    }
    return number;
  }

  clear(): void {
    this.#numbers.clear();
    this.#things.length = 0;
  }
}

export function createPlainEncoder(): PlainEncoder {
  const pages = new Kinds<Page>();
  const referrers = new Kinds<Referrer>();
  const hosts = new Kinds<string>();
  let lastPage: Page | undefined;
  let lastReferrer: Referrer | undefined;
  let kind = 0;
  const writer = new RowBinaryWriter(MOST_COLUMNS);

  const answer = (write: (w: RowBinaryWriter) => void): number => {
    writer.reset();
    write(writer);
    if (writer.length > MOST_COLUMNS) return -1;
    memory.set(writer.bytes(), answerAt);
    return writer.length;
  };
  /** What `visits.ts` asks for. */
  const visits = {
    readPage(from: number, to: number): number {
      const page = readPage(memory.toString('latin1', from, to));
      if (page === null) return -1;
      kind = page.isPlain ? pages.numberOf(JSON.stringify([page.host, page.utm]), page) : 0;
      lastPage = page;
      return answer((w) => writePage(w, page));
    },
    readReferrer(from: number, to: number, endOfPath: number): number {
      const text = memory.toString('latin1', from, to);
      const referrer = readReferrer(text);
      // Whatever query follows this path, the referrer is the same.
      const isKnownByPath = referrer.url === text.slice(0, endOfPath - from);
      kind = isKnownByPath ? referrers.numberOf(JSON.stringify([referrer.host, referrer.isApp]), referrer) : 0;
      lastReferrer = referrer;
      return answer((w) => writeReferrer(w, referrer));
    },
    kindOfAnswer: () => kind,
    readChannel(pageKind: number, referrerKind: number, shopHost: number): number {
      const page = pageKind === 0 ? lastPage : pages.get(pageKind);
      const referrer = referrerKind === 0 ? lastReferrer : referrers.get(referrerKind);
      if (page === undefined || referrer === undefined) return -1;
      return answer((w) => writeChannel(w, composeVisit(page, referrer, hosts.get(shopHost) ?? '')));
    },
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { visits });
  const assembly = exports as unknown as Assembly;
  const { read, encode } = assembly;
  const memory = Buffer.from(assembly.memory.buffer);
  const bodyAt = assembly.body.value;
  const answerAt = assembly.answer.value;
  const shopIdAt = assembly.shopId.value;
  const packedAt = assembly.packed.value;
  const findings = new DataView(assembly.memory.buffer, assembly.findings.value);
  /** Of two findings that say where it begins and ends. */
  const textAt = (place: number): string =>
    memory.toString('latin1', findings.getUint32(place, true), findings.getUint32(place + 4, true));
  const batch: PlainBatch = { token: null, events: 0 };
  let shop = { id: '', length: 0 };

  return {
    read(body) {
      if (body.length > COLLECT_BODY_BYTES) return null;
      body.copy(memory, bodyAt);
      if (read(body.length) === 0) return null;
      batch.token = findings.getUint32(TOKEN, true) === 0 ? null : textAt(TOKEN);
      batch.events = findings.getInt32(COUNT, true);
      return batch;
    },
    encode({ shopId, shopHost, receivedAt, arrival }) {
      if (pages.size > MOST_KINDS || referrers.size > MOST_KINDS || hosts.size > MOST_KINDS) {
        for (const kinds of [pages, referrers, hosts]) kinds.clear();
        assembly.forget();
      }
      if (shop.id !== shopId) {
        writer.reset();
        writer.string(shopId);
        if (writer.length > MOST_SHOP_ID) return null;
        memory.set(writer.bytes(), shopIdAt);
        shop = { id: shopId, length: writer.length };
      }
      if (encode(shop.length, hosts.numberOf(shopHost, shopHost), receivedAt, arrival) === 0) return null;
      const visitors: string[] = [];
      const count = findings.getInt32(VISITORS, true);
      for (let i = 0; i < count; i++) visitors.push(textAt(FIRST_VISITOR + i * 8));
      const elements = memory.subarray(packedAt, packedAt + findings.getInt32(PACKED_LENGTH, true));
      const length = findings.getInt32(ROWS_LENGTH, true);
      return { elements, length, visitors, since: findings.getFloat64(SINCE, true) };
    },
  };
}
