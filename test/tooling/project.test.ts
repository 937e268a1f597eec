import { expectSuccess } from '../support/script.js';

describe('this project', () => {
  it('passes the static checks: types, lint, format, imports, unused code, sizes', () =>
    expectSuccess('src/tooling/check.mjs', [], { maxMs: 1_000_000 })).timeout(1_100_000);
});
