import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { cubeDriver, type CubeDriver } from '../support/cube-driver.js';
import { PASSWORD, startAnalysts, type Analysts } from './analysts.js';

describe('@cubejs-backend/clickhouse-driver', function () {
  this.timeout(240_000);
  let analysts: Analysts;
  let driver: CubeDriver;

  before(async () => {
    analysts = await startAnalysts();
    driver = await cubeDriver({ port: analysts.proxy.port, username: 'bi_a', password: PASSWORD });
  });
  after(async () => {
    await driver.release();
    await analysts.stop();
  });

  it('connects, finds the views with their types, and reads exact decimals', async () => {
    await driver.testConnection();
    const { bi, ...others } = await driver.tablesSchema();
    expect(others).to.deep.equal({});
    expect(bi?.daily_metrics?.map(({ name }) => name)).to.include.members(['day', 'revenue', 'net_profit']);
    expect(Object.keys(bi ?? {})).to.have.length(readdirSync('clickhouse/views/bi').length);
    const [row] = await driver.query('SELECT day, revenue, orders, aov FROM daily_metrics WHERE orders = ?', [3]);
    expect(row).to.deep.equal({
      day: '2026-03-01T00:00:00.000',
      revenue: '12345678901234.123456',
      orders: '3',
      aov: '4115226300411.374485',
    });
  });
});
