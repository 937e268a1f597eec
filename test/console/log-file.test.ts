import { expect } from 'chai';
import { OPERATOR } from '../../src/domain/people.js';
import { createAccessLog } from '../../src/warehouse/queries/access-log.js';
import { useService } from '../support/service.js';
import { json, OPERATOR_ENV, signInAsOperator } from './support.js';

describe('the log of who did what', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });

  it('has one line for what one did again and again, as an upload does, and every entry once over its pages', async () => {
    const atMs = Date.now() - 7 * 86_400_000;
    const rows: object[] = [];
    const add = (count: number, fields: object): void => {
      for (let i = 0; i < count; i++) {
        const at = new Date(atMs + 10 * rows.length).toISOString().slice(0, 23).replace('T', ' ');
        const entry_id = `f${String(rows.length).padStart(15, '0')}`;
        rows.push({
          place: '',
          at,
          entry_id,
          person_id: '',
          name: 'Dora',
          what: 'set an expense',
          shop: 'a',
          ...fields,
        });
      }
    };
    add(1_700, {});
    add(1, { what: 'invited Emil' });
    add(3, {});
    add(2, { shop: 'b' });
    add(1, { name: 'Emil' });
    const longAgo = new Date(atMs - 60_001).toISOString().slice(0, 23).replace('T', ' ');
    rows.push({ ...rows[0], at: longAgo, entry_id: 'f'.repeat(16) });
    await service.stores.warehouse.insert('access_log', rows);
    const operator = await signInAsOperator(service);
    const shown: [string, string, string | null, number][] = [];
    let before = '';
    do {
      const { entries, next } = await json(await operator.get(`/app/api/log${before}`));
      expect(entries.length).to.be.at.most(50);
      for (const { name, what, shop, times } of entries)
        if (shop === 'a' || shop === 'b') shown.push([name, what, shop, times]);
      before = next === undefined ? '' : `?before=${next}`;
    } while (before !== '');
    expect(shown.slice(0, 4)).to.deep.equal([
      ['Emil', 'set an expense', 'a', 1],
      ['Dora', 'set an expense', 'b', 2],
      ['Dora', 'set an expense', 'a', 3],
      ['Dora', 'invited Emil', 'a', 1],
    ]);
    // A page looks at a thousand entries, so this one is on two or three.
    const rest = shown.slice(4).map(([, , , times]) => times);
    expect(rest.at(-1)).to.equal(1);
    expect(rest.length).to.be.within(3, 4);
    expect(rest.reduce((sum, times) => sum + times)).to.equal(1_701);
  });

  it('holds in its file every entry, newest first, and no formula', async () => {
    const log = createAccessLog(service.stores.warehouse, Date.now);
    await log.note({ ...OPERATOR, name: '=1+1' }, '+SUM(A1), "all"', 'a-shop');
    await log.note(OPERATOR, 'made the key “a\r\nb\u2028c\u202e”');
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
    expect(lines[0]).to.equal('at,person_id,name,what,shop');
    const { entries } = await json(await operator.get('/app/api/log'));
    const [first] = entries.filter(({ name }: { name: string }) => name === '=1+1');
    expect(lines).to.include(`${first.at},,'=1+1,"'+SUM(A1), ""all""",a-shop`);
    expect(lines.filter((line) => line.includes('made the key “a b c ”'))).to.have.lengthOf(1);
    const old = lines.filter((line) => line.includes(',Cleo,did '));
    expect(old).to.have.lengthOf(2_000);
    expect([old[0], old.at(-1)]).to.deep.equal([`${yesterday},,Cleo,did 1999,`, `${yesterday},,Cleo,did 0,`]);
  });
});
