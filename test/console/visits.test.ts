import { expect } from 'chai';
import { useService, useShop } from '../support/service.js';
import { joinAs, json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

describe('visits of a shop', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  const shop = useShop(service);

  it('are noted of people alone, at shops that are there, and are gone with the person', async () => {
    const operator = await signInAsOperator(service);
    const rights = { role: 'owner', shops: null };
    await joinAs(service, operator, rights);
    const person = await joinAs(service, operator, rights);
    const visit = (client: Operator, id = shop.id) => client.post(`/app/api/shops/${id}/visit`);
    const kept = async () => {
      const keys = ['', person.id].map((id) => `app:visits:${id}`);
      const found = await Promise.all(keys.map((key) => service.stores.redis.exists(key)));
      return keys.filter((_, i) => found[i] === 1);
    };
    expect((await visit(operator)).status).to.equal(204);
    expect(await kept()).to.deep.equal([]);
    expect(await json(await operator.get(`/app/api/shops/${shop.id}/visit`))).to.deep.equal({ ended_at: null });
    expect(await refusalOf(await visit(person, 'there-is-none'))).to.match(/^4\d\d /);
    expect(await kept()).to.deep.equal([]);
    expect((await visit(person)).status).to.equal(204);
    expect(await kept()).to.deep.equal([`app:visits:${person.id}`]);
    expect((await operator.send('DELETE', `/app/api/people/${person.id}`)).status).to.equal(204);
    expect(await kept()).to.deep.equal([]);
  });
});
