import { checkSpendRules, storedChannel, type SpendInput } from '../domain/costs/spend.js';
import { fieldsOf } from '../domain/fields.js';
import type { Sender } from '../domain/ingest.js';
import { keptText, REMOVED } from '../domain/personal/kept.js';
import type { ErrorDetail } from '../errors.js';
import type { SpendPush } from '../queue/jobs.js';
import { MOST_AD_ACCOUNTS, MOST_CHANNELS, type ShopNames } from '../repositories/shop-names.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { spendRowValidator, type SpendBatchResult, type SpendResult } from '../schemas/spend.js';
import type { Receipts } from '../redis/receipts.js';
import { encodeSpend } from '../warehouse/queries/spend.js';
import { outcomeOf, queueItems, suppliedText, type CheckedItem } from './batch.js';
import { checkItems } from './check.js';
import type { GroupCommit } from './group-commit.js';
import type { Items } from '../body/items.js';
import type { OpenRejections, RejectedItems } from './rejections.js';
import type { Yielder } from '../body/yielding.js';

export interface SpendIntakeDeps {
  sources: SourceRegistry;
  channels: ShopNames;
  adAccounts: ShopNames;
  receipts: Pick<Receipts, 'open'>;
  commit: GroupCommit<SpendPush>;
  openRejections: OpenRejections;
  now: () => number;
}

/**
 * Takes one push of ad spend: checks every row and puts what is accepted into the durable queue, under stamps that make the
 * newest push of a key win, and a clear hold, in whatever order the jobs run. Resolves only once it is queued. Throws
 * `source_not_registered` and `queue_unavailable`.
 */
export type TakeSpend = (sender: Sender, items: Items, yielder: Yielder) => Promise<SpendBatchResult>;

export function createSpendIntake(deps: SpendIntakeDeps): TakeSpend {
  const { sources, channels, adAccounts, openRejections } = deps;

  return async (sender, items, yielder) => {
    const { shopId } = sender;
    await sources.require(shopId);
    const checked: CheckedRow[] = [];
    const rejections = openRejections(sender, 'spend');
    await checkItems(items, yielder, check, (value, errors) => {
      const channel = channelOf(value);
      const ids = { channel, eventDate: suppliedText(value, 'event_date'), currency: suppliedText(value, 'currency') };
      checked.push(errors.length === 0 ? { ...ids, item: value as SpendInput, errors } : { ...ids, errors });
      if (errors.length > 0) rejections.add(checked.length - 1, keptChannelOf(value), value, errors);
    });
    await refuseNew(shopId, checked, rejections);
    const counts = await queueItems({ sender, kind: 'spend', checked, rejections }, deps, (header, items) => {
      const stamped = items.map(({ item, stamp }) => ({
        row: item,
        channel: storedChannel(item.channel) ?? '',
        stamp,
      }));
      const { spend, clears } = encodeSpend(shopId, stamped);
      const days = [...new Set(items.map(({ item }) => item.event_date))];
      return { push: { header, days }, segments: [spend, clears] };
    });
    return { ...counts, results: checked.map(toResult) };
  };

  /** Rejects the rows whose channel, or account of it, would be one more than a shop may have. */
  async function refuseNew(shopId: string, checked: CheckedRow[], rejections: RejectedItems): Promise<void> {
    const admit = async (names: ShopNames, nameOf: (row: CheckedRow) => string, field: string, most: string) => {
      const refused = await names.admit(
        shopId,
        new Set(checked.flatMap((row) => (row.item === undefined ? [] : [nameOf(row)]))),
      );
      const message = `${field} would make one more than the ${most} that a shop may have; use those sent before.`;
      for (const [i, row] of checked.entries()) {
        const { item } = row;
        if (item === undefined || !refused.has(nameOf(row))) continue;
        delete row.item;
        row.errors = [{ code: 'too_many', message, field }];
        rejections.add(i, keptChannelOf(item), item, row.errors);
      }
    };
    await admit(channels, ({ channel }) => channel ?? '', 'channel', `${MOST_CHANNELS} channels`);
    const accounts = `${MOST_AD_ACCOUNTS} ad accounts (a channel in a currency)`;
    await admit(adAccounts, ({ channel, currency }) => `${currency} ${channel}`, 'currency', accounts);
  }
}

interface CheckedRow extends CheckedItem<SpendInput> {
  channel: string | null;
  eventDate: string | null;
  currency: string | null;
}

function check(value: unknown, limit: number): readonly ErrorDetail[] {
  return [...spendRowValidator.check(value, limit), ...checkSpendRules(value)].slice(0, limit);
}

function channelOf(value: unknown): string | null {
  const { channel } = fieldsOf(value);
  return typeof channel === 'string' ? storedChannel(channel) : null;
}

/** Personal data is removed from the label: in its slug it would no longer be found. */
function keptChannelOf(value: unknown): string | null {
  const { channel } = fieldsOf(value);
  if (typeof channel !== 'string') return null;
  return keptText(channel, 'free') === REMOVED ? REMOVED : storedChannel(channel);
}

function toResult(row: CheckedRow): SpendResult {
  return { channel: row.channel, event_date: row.eventDate, currency: row.currency, ...outcomeOf(row) };
}
