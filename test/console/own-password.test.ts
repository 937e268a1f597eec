import { expect } from 'chai';
import { useService } from '../support/service.js';
import {
  freshAddress,
  joinAs,
  json,
  OPERATOR_ENV,
  PASSWORD,
  refusalOf,
  signedIn,
  signInAsOperator,
  trySignIn,
  type Operator,
} from './support.js';

const VIEWER = { role: 'viewer', shops: ['a'] };

describe('people who are signed in', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });
  const from = () => ({ 'X-Forwarded-For': freshAddress() });

  it('change their own password with the old one alone, which ends all their other sessions', async () => {
    const client = await joinAs(service, operator, VIEWER);
    const proof = { name: client.name, password: PASSWORD };
    const elsewhere = await signedIn(service, await trySignIn(service, proof, from()));
    const other = await joinAs(service, operator, VIEWER);
    const next = `${PASSWORD}, changed`;
    const path = '/app/api/password';
    expect(await refusalOf(await client.post(path, { old: PASSWORD, password: 'too short' }, from()))).to.equal(
      '400 invalid_value',
    );
    const wrong = await json(await client.post(path, { old: next, password: next }, from()), 400);
    expect(wrong.errors[0]).to.include({ code: 'invalid_value', field: 'old' });
    expect(await refusalOf(await operator.post(path, { old: PASSWORD, password: next }, from()))).to.equal(
      '404 not_found',
    );
    expect((await elsewhere.get('/app/api/session')).status).to.equal(200);

    const changed = await signedIn(service, await client.post(path, { old: PASSWORD, password: next }, from()));
    for (const ended of [client, elsewhere]) expect((await ended.get('/app/api/session')).status).to.equal(401);
    expect((await other.get('/app/api/session')).status).to.equal(200);
    expect((await json(await changed.get('/app/api/sessions'))).sessions).to.have.lengthOf(1);
    expect((await trySignIn(service, proof, from())).status).to.equal(401);
    await signedIn(service, await trySignIn(service, { ...proof, password: next }, from()));
    const { entries } = await json(await operator.get('/app/api/log'));
    const own = entries.filter(({ name }: { name: string }) => name === client.name);
    expect(own.filter(({ what }: { what: string }) => what === 'changed the own password')).to.have.lengthOf(1);
    expect(JSON.stringify(entries)).to.not.contain(next);
  });

  it('can’t guess the password of a session that they took over: tries have one limit with signing in', async () => {
    const client = await joinAs(service, operator, VIEWER);
    const guess = (i: number) =>
      client.post('/app/api/password', { old: `a wrong password ${i}`, password: `${PASSWORD} of mine` }, from());
    const refusals: string[] = [];
    for (let i = 0; i < 11; i++) refusals.push(await refusalOf(await guess(i)));
    expect(refusals.slice(0, 10)).to.deep.equal(Array(10).fill('400 invalid_value'));
    expect(refusals[10]).to.equal('429 too_many_tries');
    const right = { name: client.name, password: PASSWORD };
    expect(await refusalOf(await trySignIn(service, right, from()))).to.equal('429 too_many_tries');
  });
});
