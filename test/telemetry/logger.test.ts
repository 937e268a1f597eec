import { expect } from 'chai';
import { RequestError } from '../../src/errors.js';
import { createLogger, tellError, withoutSecrets } from '../../src/telemetry/logger.js';

const SECRETS = [
  `sk_svc_${'a'.repeat(64)}`,
  `pt_svc_${'b'.repeat(64)}`,
  'hunter2',
  'eyJhbGciOi.J9',
  'jane.doe@example.com',
];

describe('the log of a process', () => {
  it('holds no key, password, token or mail address of an error or its causes, at any level', () => {
    const lines: string[] = [];
    const log = createLogger({
      service: 'api',
      level: 'trace',
      stream: { write: (line: string) => void lines.push(line) },
    });
    const cause = new Error(`http://profit:hunter2@db:8123 refused ${SECRETS[0]}`, {
      cause: new Error(`Authorization: Bearer eyJhbGciOi.J9 of jane.doe@example.com with ${SECRETS[1]}`),
    });
    for (const level of ['debug', 'error'] as const) log[level]({ err: new Error('it failed', { cause }) }, 'x');
    expect(lines).to.have.length(2);
    for (const line of lines) {
      for (const secret of SECRETS) expect(line).not.to.include(secret);
      expect(line).to.include('refused').and.include('"service":"api"').and.include('logger.test');
    }
  });

  it('tells type, code and a bounded text of an error, and none of its other fields', () => {
    const error = Object.assign(new RangeError('x'.repeat(10_000)), { code: 'E1', rows: 'jane' });
    const told = tellError(error);
    expect(Object.keys(told)).to.have.members(['type', 'message', 'code', 'stack']);
    expect(told.message).to.have.length(500);
    const loop = new RequestError([{ code: 'internal', message: 'a' }]);
    Object.defineProperty(loop, 'cause', { value: loop });
    expect(JSON.stringify(tellError(loop)).length).to.be.below(20_000);
  });

  it('is cleaned in linear time, whatever the text', () => {
    for (const part of ['a@', '//a:', 'a.', 'bearer ', 'sk_svc_', '%', '//']) {
      const text = part.repeat(1_000).slice(0, 1_000);
      // The test would not end in its time if a pattern tried much more than the characters of the text.
      for (let i = 0; i < 5_000; i++) withoutSecrets(text);
    }
  });
});
