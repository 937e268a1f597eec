import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import { channelName } from '../channels/names.js';
import { Chip } from '../shared/chip.js';
import { Search } from '../shared/search.js';
import { AddChip } from './add-chip.js';
import { ChannelChoice } from './channel-choice.js';

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

/** Those whose value is typed. */
const TYPED = [
  { name: 'gateway', label: 'Payment', title: 'Orders paid through', hint: 'Name of the payment gateway' },
  { name: 'sku', label: 'Product', title: 'Orders with a product', hint: 'SKU of the product' },
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
      {!address.query.has('channel') && (
        <AddChip label="Channel" title="Orders of a channel">
          <ChannelChoice view={view} />
        </AddChip>
      )}
      {TYPED.map(
        ({ name, label, title, hint }) =>
          !address.query.has(name) && (
            <AddChip key={name} label={label} title={title}>
              <Search label={hint} placeholder={hint} value="" hrefOf={(text) => linkHere(address, { [name]: text })} />
            </AddChip>
          ),
      )}
    </>
  );
}
