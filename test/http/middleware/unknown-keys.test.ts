import type { Request, Response } from 'express';
import { expect } from 'chai';
import { RequestError } from '../../../src/errors.js';
import { limitUnknownKeys } from '../../../src/http/middleware/unknown-keys.js';

/** Counts unknown keys of addresses against a limit; each call says whether one more may be looked up. */
function start(limit: number) {
  const clock = { ms: 0 };
  const headers: Record<string, string>[] = [];
  const limiter = limitUnknownKeys(limit, () => clock.ms);
  const response = { set: (of: Record<string, string>) => headers.push(of) } as unknown as Response;
  /** What takes the count back; the seconds to wait where there are too many. */
  const count = (ip: string): (() => void) | number => {
    try {
      return limiter({ ip } as unknown as Request, response)();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      expect(error.errors[0].code).to.equal('rate_limited');
      return error.retryAfter ?? NaN;
    }
  };
  const passed = (ip: string, times: number): number =>
    Array.from({ length: times }, () => count(ip)).filter((one) => typeof one === 'function').length;
  return { clock, headers, count, passed };
}

describe('the limit of unknown keys of an address', () => {
  it('lets exactly as many pass as it says, and tells when to come again', () => {
    const { clock, count, passed, headers } = start(3);
    expect(passed('198.51.100.1', 3)).to.equal(3);
    clock.ms = 10_001;
    expect(count('198.51.100.1')).to.equal(50);
    expect(headers).to.deep.equal([{ 'RateLimit-Limit': '3', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '50' }]);
    expect(passed('198.51.100.2', 5)).to.equal(3);
    clock.ms = 60_000;
    expect(passed('198.51.100.1', 5)).to.equal(3);
  });

  it('lasts a minute, also where the clock is put back by an hour', () => {
    const { clock, count, passed } = start(3);
    clock.ms = 3_600_000;
    expect(passed('198.51.100.1', 5)).to.equal(3);
    clock.ms = 1;
    expect(passed('198.51.100.1', 5)).to.equal(3);
    expect(count('198.51.100.1')).to.equal(60);
  });

  it('does not count a key that turns out to be known', () => {
    const { count, passed } = start(2);
    for (let i = 0; i < 10; i++) {
      const takeBack = count('198.51.100.1');
      if (typeof takeBack === 'function') takeBack();
    }
    expect(passed('198.51.100.1', 5)).to.equal(2);
  });

  it('is one for the addresses of an IPv6 subscriber', () => {
    const { passed } = start(2);
    expect(passed('2001:db8:0:1::1', 2) + passed('2001:db8:0:1:ffff::2', 2)).to.equal(2);
    expect(passed('2001:db8:0:2::1', 5)).to.equal(2);
  });
});
