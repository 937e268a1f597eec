import { readFileSync } from 'node:fs';
import type { ConversionOptions } from '../../src/convert/options.js';
import type { OrderInput } from '../../src/domain/orders/orders.js';

/** An order of a platform and the item that it is. */
export interface Case {
  name: string;
  why: string;
  input: {
    format: string;
    order?: unknown;
    refunds?: unknown;
    lines?: string[];
    text?: string;
    options?: ConversionOptions;
  };
  expected: { order: OrderInput; notes?: string[] } | { reason: string };
}

export function casesOf(platform: string): Case[] {
  return JSON.parse(readFileSync(new URL(`cases/${platform}.json`, import.meta.url), 'utf8')) as Case[];
}
