import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { needOf, type Load } from '../support/capacity.js';

const load = (
  ordersPerSecond: number,
  eventsPerSecond: number,
  orders: number,
  events: number,
  shops: number,
): Load => ({
  ordersPerSecond,
  eventsPerSecond,
  orders,
  events,
  shops,
});

/** To two digits. */
const rounded = (value: number): string =>
  value < 0.01 ? '< 0.01' : Number(value.toPrecision(2)).toLocaleString('en').replaceAll(',', ' ');

const cellsOf = (of: Load): string[] => {
  const { clickhouseCores, nodeCores, ordersRedis, eventsRedis, diskGb, cacheGb } = needOf(of);
  return [clickhouseCores, nodeCores, ordersRedis, eventsRedis, diskGb, cacheGb].map(rounded);
};

/** By the first cell of their line in the page. */
const LINES: Readonly<Record<string, Load>> = {
  'A growing shop': load(1, 20, 1e7, 1e8, 1),
  'A platform': load(100, 2_000, 1e8, 1e10, 1_000),
  '10^9 orders': load(1_000, 0, 1e9, 0, 1_000),
  '10^5 shops': load(1_000, 20_000, 1e9, 1e10, 1e5),
  '10^6 events a second': load(1_000, 1e6, 1e9, 1e13, 1e5),
};

describe('the page about capacity', () => {
  const page = readFileSync('clickhouse/deploy/capacity.md', 'utf8');
  const lines = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  for (const [name, of] of Object.entries(LINES)) {
    it(`says what the model gives: ${name}`, () => {
      const found = lines.find((cells) => cells[1] === name)?.slice(2, -1);
      expect(found?.slice(-6)).to.deep.equal(cellsOf(of));
    });
  }

  it('grows by as much as the load', () => {
    const [one, twice] = [needOf(load(10, 10, 1e6, 1e6, 10)), needOf(load(20, 20, 2e6, 2e6, 20))];
    for (const part of ['clickhouseCores', 'nodeCores', 'ordersRedis', 'eventsRedis', 'diskGb'] as const)
      expect(twice[part] / one[part], part).to.be.closeTo(2, 1e-9);
  });
});
