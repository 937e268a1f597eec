import type { BiUsersAnswer } from '../../../schemas/app.js';
import { shopApi } from '../shared/api.js';
import { Badge } from '../shared/badge.js';
import { formatMoment } from '../shared/days.js';
import { Copyable } from '../shared/dialog.js';
import { Answer, Panel } from '../shared/frame.js';
import { Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

/** Who reads the figures with SQL, and how an analyst gets access. */
export function BiAccess({ shop }: { shop: string }) {
  const loaded = useRead<BiUsersAnswer>(shopApi(shop, '/bi-users'));
  return (
    <Panel
      title="BI access"
      note="Grafana, Metabase, Superset and others read the figures of this shop, and nothing else, with SQL."
    >
      <p class="note">
        The operator of the service makes a user of this shop with this command, which prints its password once:
      </p>
      <Copyable
        text={`npm run --silent profit -- bi create-user --shop ${shop}`}
        label="Command that makes a BI user"
        long
      />
      <p class="note">
        <code>bi drop-user</code> with its name takes one away. <a href="/bi">Tables, recipes and how to connect</a>
      </p>
      <Answer of={loaded} what="users">
        {({ users }) =>
          users.length === 0 ? (
            <p class="empty">No user reads this shop yet.</p>
          ) : (
            <Table label="Users" folds columns={words('User', 'Made', 'State')}>
              {users.map(({ user, made_at, is_closed }) => (
                <tr key={user}>
                  <th scope="row" class="wide">
                    {user}
                  </th>
                  <td>{formatMoment(made_at)}</td>
                  <td>
                    {is_closed ? <Badge tone="warn">closed</Badge> : 'open'}
                    {is_closed && <span class="sub">A query could not be stopped; bi open-user opens it.</span>}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
    </Panel>
  );
}
