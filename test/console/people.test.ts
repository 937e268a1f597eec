import { createHook } from 'node:async_hooks';
import { expect } from 'chai';
import { createPeople } from '../../src/repositories/people.js';
import { OPERATOR } from '../../src/domain/people.js';
import { createLocks } from '../../src/redis/locks.js';
import { createSessionState } from '../../src/redis/sessions.js';
import { createVisits } from '../../src/redis/visits.js';
import { createAccessLog } from '../../src/warehouse/queries/access-log.js';
import { createPeopleStore, type PeopleStore } from '../../src/warehouse/queries/people.js';
import { cheapPasswords, useService } from '../support/service.js';
import {
  freshAddress,
  join,
  joinAs,
  json,
  OPERATOR_ENV,
  PASSWORD,
  refusalOf,
  signedIn,
  signInAsOperator,
  statusOfTry,
  trySignIn,
  type Operator,
} from './support.js';

const VIEWER = { role: 'viewer', shops: ['a'] };
let names = 0;
const freshName = (): string => `Cleo ${process.pid} ${++names}`;

describe('people of the app', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });

  const invite = async (name = freshName(), rights: object = VIEWER) => ({
    name,
    ...(await json(await operator.post('/app/api/people', { name, ...rights }), 201)),
  });
  const listed = async (id: string) =>
    (await json(await operator.get('/app/api/people'))).people.find(
      ({ person_id }: { person_id: string }) => person_id === id,
    );
  const from = () => ({ 'X-Forwarded-For': freshAddress() });

  it('join by an invitation, once, and sign in with the name in any case', async () => {
    const { name, code, person } = await invite();
    const look = await operator.post('/app/api/invitation', { code }, from());
    expect(await json(look)).to.include({ name, role: 'viewer', invited_by: 'Operator' });
    expect(await listed(person.person_id)).to.deep.include({ has_joined: false, sessions: 0, seen_at: null });

    const client = await signedIn(service, await join(service, { code, name: `${name} `, password: PASSWORD }));
    expect(await json(await client.get('/app/api/session'))).to.deep.include({ name, ...VIEWER });
    expect(await listed(person.person_id)).to.deep.include({ has_joined: true, invited_until: null, sessions: 1 });
    const again = await join(service, { code, name, password: `${PASSWORD}2` });
    expect(await refusalOf(again)).to.equal('404 invitation_over');
    const gone = await operator.post('/app/api/invitation', { code }, from());
    expect(await refusalOf(gone)).to.equal('404 invitation_over');

    const proof = { name: ` ${name.toUpperCase()}`, password: PASSWORD };
    await signedIn(service, await trySignIn(service, proof, from()));
  });

  it('use a code only once, also at the same moment', async () => {
    const { name, code } = await invite();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => join(service, { code, name, password: `${PASSWORD} ${i}` })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404]);
    const works: number[] = []; // one by one: of many at once a busy machine refuses some
    for (const i of answers.keys())
      works.push((await trySignIn(service, { name, password: `${PASSWORD} ${i}` }, from())).status);
    expect(works).to.deep.equal(answers.map(({ status }) => (status === 204 ? 204 : 401)));
  });

  it('choose passwords of 12 to 128 characters, and names without addresses that are not taken', async () => {
    const taken = await invite();
    const { code, name } = await invite();
    const fields = async (body: object) => {
      const { errors } = await json(await join(service, { code, name, password: PASSWORD, ...body }), 400);
      return errors.map(({ field }: { field: string }) => field);
    };
    for (const password of ['😀'.repeat(11), 'x'.repeat(129), 'password1234'])
      expect(await fields({ password })).to.deep.equal(['password']);
    expect(await fields({ name: 'cleo@example.com', password: 'short' })).to.deep.equal(['name', 'password']);
    for (const bad of [
      '',
      ' ',
      'a'.repeat(1_000),
      'operator',
      'cleo＠example.com',
      '+44 20 7946 0958',
      taken.name,
      taken.name.replace('Person', 'Pers0n'),
    ])
      expect(await fields({ name: bad }), bad).to.deep.equal(['name']);
    const refused = await operator.post('/app/api/people', { name: taken.name.toUpperCase(), ...VIEWER });
    expect(await refusalOf(refused)).to.equal('400 invalid_value');
    expect((await join(service, { code, name, password: '😀😃😄😁😆😅🤣😂🙂🙃😉😊' })).status).to.equal(204);
  });

  it('get the same answer for an unknown name, a wrong password and an open invitation', async () => {
    const { name } = await joinAs(service, operator, VIEWER);
    const invited = await invite();
    const begun: string[] = [];
    const hook = createHook({ init: (_id, type) => void begun.push(type) }).enable();
    const texts = await Promise.all(
      [name, freshName(), invited.name].map(async (one) => {
        const answer = await trySignIn(service, { name: one, password: 'not this password' }, from());
        return (await json(answer, 401)).errors[0].message;
      }),
    );
    hook.disable();
    const refusal = 'This name and password don’t belong together. 4 more tries this minute.';
    expect(texts).to.deep.equal([refusal, refusal, refusal]);
    expect(begun.filter((type) => type === 'SCRYPTREQUEST')).to.have.length(3);
  });

  it('have limited tries by name from any network, and by network, which a sign-in does not clear', async () => {
    const { name } = await joinAs(service, operator, VIEWER);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push(await statusOfTry(service, { name, password: 'not this password' }, from()));
    expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 401), 429]);
    const other = await joinAs(service, operator, VIEWER);
    const address = from();
    const tryAs = (who: string) => statusOfTry(service, { name: who, password: PASSWORD }, address);
    const seen: number[] = [];
    for (const who of [freshName(), other.name, freshName(), freshName(), other.name, freshName(), freshName()])
      seen.push(await tryAs(who));
    expect(seen).to.deep.equal([401, 204, 401, 401, 204, 401, 401]);
    expect(await tryAs(other.name)).to.equal(429);
  });

  it('lose their sessions with a change of role, a new password and removal', async () => {
    const person = await joinAs(service, operator, VIEWER);
    const second = await signedIn(service, await trySignIn(service, { name: person.name, password: PASSWORD }, from()));
    expect((await json(await second.get('/app/api/sessions'))).sessions).to.have.lengthOf(2);
    const path = `/app/api/people/${person.id}`;
    const changed = await json(await operator.send('PATCH', path, { role: 'manager', shops: null }));
    expect(changed).to.deep.include({ role: 'manager', shops: null, sessions: 0 });
    for (const client of [person, second]) expect((await client.get('/app/api/session')).status).to.equal(401);

    const third = await signedIn(service, await trySignIn(service, { name: person.name, password: PASSWORD }, from()));
    const { code } = await json(await operator.post(`${path}/invitation`), 201);
    expect((await third.get('/app/api/session')).status).to.equal(200);
    expect((await join(service, { code, name: person.name, password: 'another password' })).status).to.equal(204);
    expect((await third.get('/app/api/session')).status).to.equal(401);
    const old = await trySignIn(service, { name: person.name, password: PASSWORD }, from());
    expect(old.status).to.equal(401);

    const proof = { name: person.name, password: 'another password' };
    const last = await signedIn(service, await trySignIn(service, proof, from()));
    expect((await operator.send('DELETE', path)).status).to.equal(204);
    expect((await last.get('/app/api/session')).status).to.equal(401);
    expect((await trySignIn(service, proof, from())).status).to.equal(401);
    const rows = await service.stores.warehouse.query('SELECT * FROM people FINAL WHERE person_id = {id:String}', {
      id: person.id,
    });
    expect(JSON.stringify(rows)).to.not.contain(person.name).and.not.contain('scrypt');
  });

  it('end single sessions of their own, and an owner those of others', async () => {
    const person = await joinAs(service, operator, VIEWER);
    const owner = await joinAs(service, operator, { role: 'owner', shops: null });
    const path = `/app/api/people/${person.id}/sessions`;
    const [session] = (await json(await owner.get(path))).sessions;
    expect((await person.post(`/app/api/sessions/${session.session_id}x/end`)).status).to.equal(404);
    expect((await owner.post(`/app/api/sessions/${session.session_id}/end`)).status).to.equal(404);
    expect((await owner.post(`${path}/${session.session_id}/end`)).status).to.equal(204);
    expect((await person.get('/app/api/session')).status).to.equal(401);
  });

  it('begin a session with a fresh cookie, which ends the one that the browser had', async () => {
    const person = await joinAs(service, operator, VIEWER);
    const headers = { ...from(), Cookie: person.cookie };
    const next = await signedIn(service, await trySignIn(service, { name: person.name, password: PASSWORD }, headers));
    expect(next.cookie).to.not.equal(person.cookie);
    expect((await person.get('/app/api/session')).status).to.equal(401);
  });

  it('keep one owner, also when two remove each other; the operator gets in all the same', async () => {
    const [a, b] = [
      await joinAs(service, operator, { role: 'owner', shops: null }),
      await joinAs(service, operator, { role: 'owner', shops: null }),
    ];
    const { people } = await json(await operator.get('/app/api/people'));
    for (const { person_id, role } of people)
      if (role === 'owner' && person_id !== a.id && person_id !== b.id)
        await operator.send('PATCH', `/app/api/people/${person_id}`, VIEWER);
    const answers = await Promise.all([
      a.send('DELETE', `/app/api/people/${b.id}`),
      b.send('DELETE', `/app/api/people/${a.id}`),
    ]);
    expect(answers.filter(({ status }) => status === 204)).to.have.lengthOf(1);
    const left = (await listed(a.id)) === undefined ? b : a;
    for (const body of [VIEWER, { role: 'manager', shops: null }])
      expect((await operator.send('PATCH', `/app/api/people/${left.id}`, body)).status).to.equal(400);
    expect(await refusalOf(await left.send('DELETE', `/app/api/people/${left.id}`))).to.equal('400 invalid_value');
    await signInAsOperator(service);
  });

  it('leave what they did in the log, without secrets', async () => {
    const log = createAccessLog(service.stores.warehouse, Date.now);
    await Promise.all(Array.from({ length: 50 }, (_, i) => log.note(OPERATOR, `did something before, ${i}`)));
    const owner = await joinAs(service, operator, { role: 'owner', shops: null });
    const shop = await service.shop();
    const key = await json(await owner.post(`/app/api/shops/${shop.id}/keys`, { kind: 'secret', name: 'Shop' }), 201);
    const invited = await json(await owner.post('/app/api/people', { name: freshName(), ...VIEWER }), 201);
    const { entries, next } = await json(await owner.get('/app/api/log'));
    const own = entries.filter(({ name }: { name: string }) => name === owner.name);
    expect(own.map(({ what, shop: of }: { what: string; shop: string | null }) => [what, of])).to.deep.equal([
      [`invited ${invited.person.name} as viewer of a`, null],
      [`made the secret key “Shop”, ending ${key.last_four}`, shop.id],
      ['chose a password by invitation', null],
    ]);
    const texts = JSON.stringify(await service.stores.warehouse.query('SELECT * FROM access_log'));
    for (const secret of [key.key, invited.code, PASSWORD, '127.0.0.1']) expect(texts).to.not.contain(secret);
    expect(entries).to.have.lengthOf(50);
    const more = await json(await owner.get(`/app/api/log?before=${next}`));
    expect(more.entries[0].at <= entries[49].at).to.equal(true);
    expect(more.entries.map(({ entry_id }: { entry_id: string }) => entry_id)).to.not.include(entries[49].entry_id);
    for (const before of ['x', '1.2', `${'9'.repeat(30)}.${'a'.repeat(16)}`])
      expect((await owner.get(`/app/api/log?before=${before}`)).status, before).to.equal(400);
  });

  it('keep an invitation whose use was cut off before the person was written', async () => {
    const { stores } = service;
    const store = createPeopleStore(stores.warehouse);
    const people = (write: PeopleStore['write']) =>
      createPeople({
        store: { ...store, write },
        sessions: createSessionState(stores.redis),
        visits: createVisits(stores.redis),
        passwords: cheapPasswords(),
        takeStamps: stores.takeStamps,
        withLock: createLocks(stores.redis),
        now: stores.now,
      });
    const fields = { name: freshName(), role: 'viewer' as const, shops: ['a'] };
    const { code } = await people((...row) => store.write(...row)).invite(fields, OPERATOR);
    const chosen = { name: fields.name, password: PASSWORD };
    const cut = people(() => Promise.reject(new Error('killed')));
    const failure = await cut.join(code, chosen, () => Promise.resolve(true)).catch(String);
    expect(failure).to.equal('Error: killed');
    expect((await join(service, { code, ...chosen })).status).to.equal(204);
  });
});
