import { OVERDUE_SECONDS } from '../../warehouse/bi/profiles.js';
import { BI_PREFIX } from '../../warehouse/bi/access.js';
import { changeBiUsers } from '../engines/bi-users.js';
import { clickHouseQuery } from '../engines/clickhouse-query.js';
import type { BiProxyOptions } from './server.js';

interface RunawayOptions extends Pick<BiProxyOptions, 'engine' | 'dataDir'> {
  log: { error(fields: object, message: string): void };
  /** Has the engine started again, which ends its queries. */
  restart: () => void;
  /** How long a query may outlive its limit of time. */
  graceSeconds?: number;
}

/**
 * Closes the users with a query that has outlived its limit by a minute, as it can't be stopped, and restarts the engine. They stay closed until
 * the operator opens them. Resolves to their names.
 */
export async function closeRunaways({
  engine,
  dataDir,
  log,
  restart,
  graceSeconds = 60,
}: RunawayOptions): Promise<string[]> {
  const sql = `SELECT DISTINCT user FROM system.processes WHERE startsWith(user, '${BI_PREFIX}') AND ${OVERDUE_SECONDS} > ${graceSeconds} FORMAT TSV`;
  const found = (await clickHouseQuery(engine, sql, 10_000)).split('\n').filter((user) => user !== '');
  if (found.length === 0) return [];
  const closed: string[] = [];
  await changeBiUsers(dataDir, (users) =>
    users.map((user) => {
      if (!found.includes(user.account.name)) return user;
      closed.push(user.name);
      return { ...user, closed: true };
    }),
  );
  log.error(
    { users: closed },
    'queries of BI users could not be stopped: the users are closed, and ClickHouse restarts',
  );
  restart();
  return closed;
}
