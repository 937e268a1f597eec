import { useState } from 'preact/hooks';
import type { Shop } from '../../../../schemas/app.js';
import type { AppShareLink, FreshShareLink, ShareLinksAnswer } from '../../../../schemas/people.js';
import { change, shopApi } from '../../shared/api.js';
import { formatMoment, formatRange } from '../../shared/days.js';
import { Answer, Panel, FailureNotice, useAction } from '../../shared/frame.js';
import { Icon } from '../../shared/icon.js';
import { Table, words } from '../../shared/table.js';
import { useRead } from '../../shared/use-read.js';
import { NewShareLink } from './new-share-link.js';

const COLUMNS = words('Figures of', 'Made by', 'Until', <span class="unseen">Actions</span>);

/** Links that show some figures of the shop without a session. The token of one lives in its dialog alone. */
export function ShareLinks({ shop }: { shop: Shop }) {
  const path = shopApi(shop.shop_id, '/share-links');
  const loaded = useRead<ShareLinksAnswer>(path);
  const [making, setMaking] = useState(false);
  const { busy, failure, run } = useAction();
  const end = ({ link_id }: AppShareLink) =>
    run(async () => {
      await change(`${path}/${link_id}/end`);
      loaded.reload();
    });
  const make = async (days: { from: string; to: string }): Promise<FreshShareLink> => {
    const fresh = await change<FreshShareLink>(path, days);
    loaded.reload();
    return fresh;
  };
  const share = shop.currency !== null && (
    <button type="button" onClick={() => setMaking(true)}>
      <Icon name="plus" /> Share
    </button>
  );
  return (
    <Panel title="Shared views" class="flush" actions={share}>
      <Answer of={loaded} what="links">
        {({ links }) =>
          links.length === 0 ? (
            <p class="empty">
              No link is open. A link shows the statement, the days and the channels of fixed days, without orders and
              products, to whom you hand it over.
            </p>
          ) : (
            <Table label="Shared views" folds columns={COLUMNS}>
              {links.map((link) => (
                <tr key={link.link_id}>
                  <th scope="row">{formatRange(link)}</th>
                  <td class="wide">{link.made_by}</td>
                  <td>{formatMoment(link.until)}</td>
                  <td class="doings">
                    <button
                      type="button"
                      class="danger-quiet"
                      disabled={busy}
                      onClick={() => void end(link)}
                      aria-label={`End the link to ${formatRange(link)}`}
                    >
                      End
                    </button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
      {failure !== null && <FailureNotice failure={failure} />}
      {making && <NewShareLink timezone={shop.timezone ?? 'UTC'} make={make} onClose={() => setMaking(false)} />}
    </Panel>
  );
}
