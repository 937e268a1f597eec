import { expect } from 'chai';
import type { AnyErrorCode } from '../../src/error-catalogue.js';
import { statusOf } from '../../src/errors.js';
import { checkAppAnswer } from './answers.js';

describe('answers of the app', () => {
  const refuse = (method: string, path: string, code: AnyErrorCode) => () => {
    const text = JSON.stringify({ errors: [{ code, message: 'No.' }], request_id: 'r' });
    const headers = new Headers({ 'Content-Type': 'application/json' });
    checkAppAnswer(method, `/app/api${path}`, { status: statusOf(code), headers, text });
  };

  it('are refusals by a code that the route names, or that its role, path, query or body brings', () => {
    refuse('POST', '/sign-in', 'sign_in_refused')();
    refuse('POST', '/shops/s/gateway-fees', 'invalid_money')();
    refuse('GET', '/shops/s/v1/metrics', 'range_too_long')();
    expect(refuse('GET', '/session', 'sign_in_refused')).to.throw('does not name sign_in_refused');
    expect(refuse('GET', '/session', 'role')).to.throw('does not name role');
    expect(refuse('GET', '/shops/s/expenses', 'invalid_money')).to.throw('does not name invalid_money');
    expect(refuse('GET', '/shops/s/v1/metrics', 'sum_mismatch')).to.throw('does not name sum_mismatch');
  });
});
