import type { Role } from '../../../domain/roles.js';
import type { Shop } from '../../../schemas/app.js';
import { SETTINGS, settingsPath, type SettingsName } from '../app/address.js';
import { NeedsRole } from '../shared/needs-role.js';
import { useMay, useMe } from '../shared/signed-in.js';
import { People } from './people/people.js';

interface Props {
  shop: Shop;
  shops: Shop[];
  section: SettingsName;
}

const SECTIONS: Readonly<Record<SettingsName, { label: string; needs: Role }>> = {
  people: { label: 'People', needs: 'viewer' },
};

/** What is set of a shop, a page for each part. */
export function Settings(props: Props) {
  const me = useMe();
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
      </div>
      <div class="settings">
        <nav class="settings-nav" aria-label="Settings">
          {SETTINGS.map((name) => (
            <SectionLink key={name} name={name} {...props} />
          ))}
        </nav>
        <div class="stack">{me !== null && <Section {...props} />}</div>
      </div>
    </>
  );
}

function SectionLink({ name, shop, section }: Props & { name: SettingsName }) {
  const { label, needs } = SECTIONS[name];
  const current: string = section;
  if (!useMay(needs)) return null;
  return (
    <a class="nav-item" href={settingsPath(shop.shop_id, name)} aria-current={name === current ? 'page' : undefined}>
      {label}
    </a>
  );
}

function Section({ shop, shops, section }: Props) {
  const { needs } = SECTIONS[section];
  if (!useMay(needs)) return <NeedsRole role={needs} />;
  return <People shop={shop} shops={shops} />;
}
