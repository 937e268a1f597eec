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

  it('holds no phone, card or hidden address of an error, and tells the rest of it', () => {
    for (const [text, rest] of [
      ['Cannot parse "0151 70918264" as a date', 'Cannot parse'],
      ['+49 151 70918264 is unknown', 'is unknown'],
      ['card 4000 0566 5566 5556 refused', 'refused'],
      [`no ${Buffer.from('zoe.quill@private.example').toString('base64')}`, ''],
      ['no zoe.quill%40private.example', ''],
    ] as const) {
      const { message } = tellError(new Error(text));
      expect(message).to.include(rest);
      expect(message).not.to.match(/70918264|5556|0566|em9l|quill/);
    }
    const plain =
      'connect ECONNREFUSED 127.0.0.1:8123 after 3 tries in 1500 ms, batch 0191f3a2-77b1-7cc1-9d6e-3f6a12b4c5d6';
    expect(tellError(new Error(plain)).message).to.equal(plain);
    const store = 'http://profit:hunter2@ch-1.example.com:8123 refused';
    expect(tellError(new Error(store)).message).to.equal('http://profit:… at ch-1.example.com:8123 refused');
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
