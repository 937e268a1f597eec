import { linkHere, type Address } from '../app/address.js';
import { Icon } from './icon.js';

/** A filter that the address holds or not; a link either way. */
export function Chip({
  address,
  name,
  value = '1',
  label,
}: {
  address: Address;
  name: string;
  value?: string;
  label: string;
}) {
  const isOn = address.query.get(name) === value;
  return (
    <a
      class={isOn ? 'chip on' : 'chip'}
      href={linkHere(address, { [name]: isOn ? null : value })}
      aria-current={isOn ? 'true' : undefined}
    >
      <Icon name={isOn ? 'close' : 'plus'} />
      {label}
    </a>
  );
}
