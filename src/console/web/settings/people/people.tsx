import { useState } from 'preact/hooks';
import type { Shop } from '../../../../schemas/app.js';
import { useMay, useMe } from '../../shared/signed-in.js';
import { Deeds } from './deeds.js';
import { OwnPassword } from './own-password.js';
import { PeopleList } from './people-list.js';
import { ShareLinks } from './share-links.js';
import { Sessions } from './sessions.js';

/** Who may use the app, and what they did; everybody sees the own sessions. */
export function People({ shop, shops }: { shop: Shop; shops: Shop[] }) {
  const me = useMe();
  const isOwner = useMay('owner');
  const isManager = useMay('manager');
  const isPerson = me !== null && me.person_id !== '';
  const [changes, setChanges] = useState(0);
  return (
    <>
      {isOwner && <PeopleList shop={shop.shop_id} shops={shops} />}
      {isPerson && <OwnPassword onChanged={() => setChanges(changes + 1)} />}
      <Sessions
        key={changes}
        title={isPerson ? 'Your sessions' : 'Sessions of the admin token'}
        path="/app/api/sessions"
      />
      {isManager && <ShareLinks shop={shop} />}
      {isOwner && <Deeds />}
    </>
  );
}
