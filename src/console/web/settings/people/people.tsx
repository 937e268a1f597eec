import type { Shop } from '../../../../schemas/app.js';
import { useMay, useMe } from '../../shared/signed-in.js';
import { Deeds } from './deeds.js';
import { PeopleList } from './people-list.js';
import { ShareLinks } from './share-links.js';
import { Sessions } from './sessions.js';

/** Who may use the app, and what they did; everybody sees the own sessions. */
export function People({ shop, shops }: { shop: Shop; shops: Shop[] }) {
  const me = useMe();
  const isOwner = useMay('owner');
  const isManager = useMay('manager');
  return (
    <>
      {isOwner && <PeopleList shops={shops} />}
      <Sessions
        title={me === null || me.person_id === '' ? 'Sessions of the admin token' : 'Your sessions'}
        path="/app/api/sessions"
      />
      {isManager && <ShareLinks shop={shop} />}
      {isOwner && <Deeds />}
    </>
  );
}
