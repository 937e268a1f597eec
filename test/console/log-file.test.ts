import { expect } from 'chai';
import { OPERATOR } from '../../src/domain/people.js';
import { createAccessLog } from '../../src/warehouse/queries/access-log.js';
import { useService } from '../support/service.js';
import { json, OPERATOR_ENV, signInAsOperator } from './support.js';

describe('the log of who did what, as a file', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });

  it('holds every entry, newest first, and no formula', async () => {
    const log = createAccessLog(service.stores.warehouse, Date.now);
    await log.note({ ...OPERATOR, name: '=1+1' }, '+SUM(A1), "all"', 'a-shop');
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const many = Array.from({ length: 2_000 }, (_, i) => ({
      place: '',
      at: yesterday.slice(0, 23).replace('T', ' '),
      entry_id: String(i).padStart(16, '0'),
      person_id: '',
      name: 'Cleo',
      what: `did ${i}`,
      shop: '',
    }));
    await service.stores.warehouse.insert('access_log', many);
    const operator = await signInAsOperator(service);
    const answer = await operator.get('/app/api/log/csv');
    expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="who-did-what.csv"');
    expect(answer.headers.get('content-type')).to.contain('text/csv');
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines[0]).to.equal('at,name,what,shop');
    const { entries } = await json(await operator.get('/app/api/log'));
    const [first] = entries.filter(({ name }: { name: string }) => name === '=1+1');
    expect(lines).to.include(`${first.at},'=1+1,"'+SUM(A1), ""all""",a-shop`);
    const old = lines.filter((line) => line.includes(',Cleo,did '));
    expect(old).to.have.lengthOf(2_000);
    expect([old[0], old.at(-1)]).to.deep.equal([`${yesterday},Cleo,did 1999,`, `${yesterday},Cleo,did 0,`]);
  });
});
