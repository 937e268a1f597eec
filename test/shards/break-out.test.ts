import { expect } from 'chai';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { SHARD_ATTEMPTS } from '../attacks/break-out-attempts.js';
import { describeBreakOut } from '../attacks/break-out-suite.js';
import { SECRET, startShardedAnalysts, type Analysts } from '../bi/analysts.js';

/** What changes how one server asks another; below the top of a query the engine takes any. */
const SETTINGS = [
  'prefer_localhost_replica = 0, readonly = 0, max_result_rows = 0',
  'serialize_query_plan = 1, prefer_localhost_replica = 0',
  "distributed_product_mode = 'local', distributed_group_by_no_merge = 2",
  "additional_table_filters = {'profit_local.orders': '1', 'bi_local.orders': '1'}, additional_result_filter = '1'",
];

function nestedSettings(analysts: () => Analysts): void {
  for (const settings of SETTINGS) {
    it(`is shown nothing of another shop by settings below the top of a query: ${settings}`, async () => {
      const views = (await readDictionary('clickhouse/views/bi')).map(({ name }) => `bi.${name}`);
      let answered = 0;
      for (const view of [...views, 'bi_local.orders', 'bi_local.product_costs']) {
        for (const server of analysts().servers.keys()) {
          const sql = `SELECT * FROM (SELECT * FROM ${view} SETTINGS ${settings})`;
          // Past the proxy, which lets none of this through: a server has none.
          const { status, text } = await analysts().ask(sql, { server, isDirect: true });
          if (status === 200 && text !== '') answered++;
          expect(text, sql).not.to.contain(SECRET);
          expect(/(^|\t)b\t/m.test(text), sql).to.equal(false);
        }
      }
      expect(answered, 'views that showed the own shop').to.be.greaterThan(0);
    });
  }
}

describeBreakOut('a BI user of two shards who wants more', startShardedAnalysts, SHARD_ATTEMPTS, nestedSettings);
