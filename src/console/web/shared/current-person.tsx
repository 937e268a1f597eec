import { settingsPath } from '../app/address.js';
import { Icon } from './icon.js';
import { useMe } from './signed-in.js';

/** Who is signed in; leads to their sessions. */
export function CurrentPerson({ shop }: { shop: string | undefined }) {
  const me = useMe();
  if (shop === undefined) return null;
  // Has its room before it is known who it is.
  const text = me === null ? 'You' : me.person_id === '' ? me.name : `${me.name} · ${me.role}`;
  return (
    <a class="nav-item" href={settingsPath(shop, 'people')}>
      <Icon name="person" />
      <span class="cut" key={text}>
        {text}
      </span>
    </a>
  );
}
