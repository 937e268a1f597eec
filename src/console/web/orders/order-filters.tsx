import type { Address } from '../app/address.js';
import { channelName } from '../channels/names.js';
import { Chip } from '../shared/chip.js';

const FLAGS = [
  { name: 'counted', label: 'Counted' },
  { name: 'refunded', label: 'Refunded' },
  { name: 'loss', label: 'Loss' },
  { name: 'warned', label: 'With a warning' },
  { name: 'missing_cost', label: 'Costs missing' },
] as const;

const NAMED = [
  { name: 'channel', label: channelName },
  { name: 'gateway', label: (value: string) => `Paid through ${value}` },
  { name: 'sku', label: (value: string) => `With ${value}` },
  { name: 'status', label: (value: string) => `Status ${value}` },
] as const;

/** Filters: those that are on or off, and those that a link from elsewhere brought. */
export function OrderFilters({ address }: { address: Address }) {
  return (
    <>
      {NAMED.map(({ name, label }) => {
        const value = address.query.get(name);
        return value === null ? null : (
          <Chip key={name} address={address} name={name} value={value} label={label(value)} />
        );
      })}
      {FLAGS.map((flag) => (
        <Chip key={flag.name} address={address} {...flag} />
      ))}
    </>
  );
}
