import { expect } from 'chai';
import { closedBiUsers } from '../../src/composition/closed-bi-users.js';
import { changeBiUsers } from '../../src/embedded/engines/bi-users.js';
import { createRegistry } from '../../src/telemetry/registry.js';
import { offerClosedBiUsers } from '../../src/telemetry/worker-metrics.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { keptUser } from '../support/bi-proxy.js';
import { json, OPERATOR_ENV, signInAsOperator } from '../console/support.js';
import { useService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('a closed BI user', () => {
  const dataDir = temporaryFolder('closed');
  const service = useService({
    workers: false,
    env: { ...OPERATOR_ENV, DATA_DIR: dataDir, EMBEDDED_ENGINES: 'clickhouse,redis' },
  });

  it('is in the ingest status and the app’s list of its shop alone, and in the metrics', async () => {
    const began = Date.now();
    const [shop, other] = [await service.shop(), await service.shop()];
    const [name, open, ofOther] = ['closed', 'open', 'other'].map((word) => `bi_${word}_${process.pid}`) as [
      string,
      string,
      string,
    ];
    const users = createBiUsers(service.stores.warehouse, 'profit');
    await users.bind(name, shop.id);
    await users.bind(open, shop.id);
    await users.bind(ofOther, other.id);
    const closing = (...closed: string[]) =>
      changeBiUsers(dataDir, () =>
        [name, open, ofOther].map((one) => ({ ...keptUser(one), ...(closed.includes(one) && { closed: true }) })),
      );
    const register = createRegistry();
    offerClosedBiUsers(() => closedBiUsers(service.config), register);
    await closing();
    expect(await register.metrics()).to.match(/^profit_bi_closed_users 0$/m);

    await closing(name);
    expect(await register.metrics()).to.match(/^profit_bi_closed_users 1$/m);
    const status = await shop.call('GET', '/v1/ingest/status');
    expect(status.body.closed_bi_users).to.deep.equal([name]);
    expect((await other.call('GET', '/v1/ingest/status')).body).not.to.have.property('closed_bi_users');
    const operator = await signInAsOperator(service);
    const { users: listed } = await json(await operator.get(`/app/api/shops/${shop.id}/bi-users`));
    expect(listed.map(({ user, is_closed }: Record<string, unknown>) => [user, is_closed])).to.deep.equal([
      [name, true],
      [open, false],
    ]);
    for (const { made_at } of listed) expect(Date.parse(made_at)).to.be.within(began - 1_000, Date.now() + 1_000);
    expect(await closedBiUsers({ ...service.config, embeddedEngines: [] })).to.deep.equal([]);
  });
});
