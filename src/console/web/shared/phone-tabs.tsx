import { useState } from 'preact/hooks';
import type { PageName } from '../app/address.js';
import { Icon } from './icon.js';
import { CurrentPerson } from './current-person.js';
import { OtherPages, ShopPages, type Current } from './navigation.js';
import { SignOut } from './sign-out.js';

const FIRST: readonly PageName[] = ['overview', 'orders', 'products', 'channels'];
const REST: readonly PageName[] = ['customers', 'changes', 'connections'];

const IN_SIGHT: ReadonlySet<Current> = new Set([...FIRST, 'shops']);

/** The way around at the bottom of a phone: four pages, and the rest under More. */
export function PhoneTabs(props: { shop: string | undefined; current: Current | undefined; days: string }) {
  const [open, setOpen] = useState(false);
  const isHere = props.current !== undefined && !IN_SIGHT.has(props.current);
  return (
    <nav class="tabs" aria-label="Pages">
      {open && (
        <div class="more" onClick={() => setOpen(false)}>
          {props.shop !== undefined && <ShopPages {...props} only={REST} />}
          <OtherPages {...props} />
          <CurrentPerson shop={props.shop} />
          <SignOut />
        </div>
      )}
      <ShopPages {...props} only={FIRST} />
      <button
        type="button"
        class={isHere ? 'nav-item here' : 'nav-item'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}
