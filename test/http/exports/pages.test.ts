import { expect } from 'chai';
import { ahead } from '../../../src/http/exports/pages.js';

describe('parts that are read ahead', () => {
  const log: string[] = [];
  async function* numbers(most: number, fails = false): AsyncGenerator<number> {
    try {
      for (let i = 1; i <= most; i++) {
        log.push(`read ${i}`);
        yield await Promise.resolve(i);
      }
      if (fails) throw new Error('away');
    } finally {
      log.push('closed');
    }
  }
  beforeEach(() => log.splice(0));

  it('are the same, each read while the one before is used', async () => {
    for await (const part of ahead(numbers(2))) {
      await Promise.resolve();
      log.push(`use ${part}`);
    }
    expect(log).to.deep.equal(['read 1', 'read 2', 'use 1', 'closed', 'use 2']);
  });

  it('fail where the part was to come', async () => {
    const found: number[] = [];
    const read = async (): Promise<void> => {
      for await (const part of ahead(numbers(2, true))) found.push(part);
    };
    const [failure] = await Promise.allSettled([read()]);
    expect(failure).to.have.nested.property('reason.message', 'away');
    expect(found).to.deep.equal([1, 2]);
  });

  it('are read no further once their reader has left', async () => {
    for await (const part of ahead(numbers(9))) if (part === 2) break;
    expect(log).to.deep.equal(['read 1', 'read 2', 'read 3', 'closed']);
  });
});
