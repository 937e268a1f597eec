import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import { SETTINGS, settingsPath, type SettingsName } from '../app/address.js';
import { NeedsRole } from '../shared/needs-role.js';
import { useMay } from '../shared/signed-in.js';
import { Alerts } from './alerts.js';
import { BiAccess } from './bi-access.js';
import { Expenses } from './expenses.js';
import { FeeRules } from './fee-rules.js';
import { People } from './people/people.js';
import { PixelSnippet } from './pixel-snippet.js';
import { SECTIONS } from './sections.js';
import { ShopPanel } from './shop-panel.js';
import { UnitCosts } from './unit-costs.js';

interface Props {
  shop: Shop;
  shops: Shop[];
  section: SettingsName;
  /** Of what the list of shops shows. */
  onChanged: () => void;
}

/** What is set of a shop, a page for each part. */
export function Settings(props: Props) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the parts are a row, of which some are out of sight.
  useLayoutEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [props.section],
  );
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
      </div>
      <div class="settings">
        <nav class="settings-nav" ref={nav} aria-label="Settings">
          {SETTINGS.map((name) => (
            <SectionLink key={name} name={name} {...props} />
          ))}
        </nav>
        <div class="stack">
          <NeedsRole role={SECTIONS[props.section].needs}>
            <Section {...props} />
          </NeedsRole>
        </div>
      </div>
    </>
  );
}

function SectionLink({ name, shop, section }: Props & { name: SettingsName }) {
  const { label, needs } = SECTIONS[name];
  if (!useMay(needs)) return null;
  return (
    <a class="nav-item" href={settingsPath(shop.shop_id, name)} aria-current={name === section ? 'page' : undefined}>
      {label}
    </a>
  );
}

function Section({ shop, shops, section, onChanged }: Props) {
  switch (section) {
    case 'costs':
      return <UnitCosts shop={shop} />;
    case 'expenses':
      return <Expenses shop={shop} />;
    case 'fees':
      return <FeeRules shop={shop} />;
    case 'pixel':
      return <PixelSnippet shop={shop.shop_id} />;
    case 'alerts':
      return <Alerts shop={shop} />;
    case 'bi':
      return <BiAccess shop={shop.shop_id} />;
    case 'people':
      return <People shop={shop} shops={shops} />;
    default:
      return <ShopPanel shop={shop} onChanged={onChanged} />;
  }
}
