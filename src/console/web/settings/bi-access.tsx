import { Copyable } from '../shared/dialog.js';
import { Panel } from '../shared/frame.js';

/** How an analyst gets access. */
export function BiAccess({ shop }: { shop: string }) {
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
        <a href="/bi">Tables, recipes and how to connect</a>
      </p>
    </Panel>
  );
}
