import { FACTS } from '../app/csv-path.js';
import type { View } from '../app/view.js';
import { channelName } from '../channels/names.js';
import { Chip } from '../shared/chip.js';
import { AddChip } from './add-chip.js';
import { ChannelChoice } from './channel-choice.js';
import { CUSTOMER_KINDS } from './customer-words.js';
import { GatewayChoice } from './gateway-choice.js';
import { ProductChoice } from './product-choice.js';

const FLAGS = [
  { name: 'counted', label: 'That count' },
  { name: 'refunded', label: 'Refunded' },
  { name: 'loss', label: 'Loss' },
  { name: 'warned', label: 'With a warning' },
  { name: 'missing_cost', label: 'Costs missing' },
] as const;

const NAMED = [
  { name: 'channel', label: channelName },
  { name: 'gateway', label: (value: string) => `Paid through ${value}` },
  { name: 'sku', label: (value: string) => `With ${value}` },
  { name: 'customer', label: (value: string) => CUSTOMER_KINDS.find(({ kind }) => kind === value)?.label ?? value },
  { name: 'status', label: (value: string) => `Status ${value}` },
  ...FACTS.map((name) => ({ name, label: String })),
] as const;

/** Those whose value is chosen. */
const CHOSEN = [
  { name: 'channel', label: 'Channel', title: 'Orders of a channel', Choice: ChannelChoice },
  { name: 'gateway', label: 'Payment', title: 'Orders paid through', Choice: GatewayChoice },
  { name: 'sku', label: 'Product', title: 'Orders with a product', Choice: ProductChoice },
] as const;

/** Filters: those that are on or off, and those that have a value. */
export function OrderFilters({ view }: { view: View }) {
  const { address } = view;
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
      {CHOSEN.map(
        ({ name, label, title, Choice }) =>
          !address.query.has(name) && (
            <AddChip key={name} label={label} title={title}>
              <Choice view={view} />
            </AddChip>
          ),
      )}
    </>
  );
}
