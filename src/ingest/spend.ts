import { checkSpendRules, storedChannel, type SpendInput } from '../domain/costs/spend.js';
import { fieldsOf } from '../domain/fields.js';
import type { Sender } from '../domain/ingest.js';
import { redactText, REMOVED } from '../domain/personal/redact.js';
import type { SpendPush } from '../queue/jobs.js';
import { MAX_AD_ACCOUNTS, MAX_CHANNELS, type ShopNames } from '../repositories/shop-names.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { spendRowValidator, type SpendBatchResult, type SpendResult } from '../schemas/spend.js';
import { encodeSpend } from '../warehouse/queries/spend.js';
import { checkNamed, type NamedItem, type QueueDeps, queueItems, resultsOf, suppliedText } from './batch.js';
import { checkBy } from './check.js';
import type { Items } from '../body/items.js';
import type { OpenRejections, RejectedItems } from './rejections.js';
import type { Yielder } from '../body/yielding.js';

export interface SpendIntakeDeps extends QueueDeps<SpendPush> {
  sources: SourceRegistry;
  channels: ShopNames;
  adAccounts: ShopNames;
  openRejections: OpenRejections;
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
    const rejections = openRejections(sender, 'spend');
    const checked = await checkNamed(items, yielder, {
      check,
      idsOf,
      read: (value) => value as SpendInput,
      onRejected: (position, value, errors) => rejections.add(position, keptChannelOf(value), value, errors),
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
    return { ...counts, results: resultsOf(checked) };
  };

  /** Rejects the rows whose channel, or account of it, would be one more than a shop may have. */
  async function refuseNew(
    shopId: string,
    checked: NamedItem<SpendInput, Ids>[],
    rejections: RejectedItems,
  ): Promise<void> {
    const admit = async (names: ShopNames, nameOf: (ids: Ids) => string, field: string, most: string) => {
      const refused = await names.admit(
        shopId,
        new Set(checked.flatMap((row) => (row.item === undefined ? [] : [nameOf(row.ids)]))),
      );
      const message = `${field} would make one more than the ${most} that a shop may have; use those sent before.`;
      for (const [i, row] of checked.entries()) {
        const { item } = row;
        if (item === undefined || !refused.has(nameOf(row.ids))) continue;
        delete row.item;
        row.errors = [{ code: 'too_many', message, field }];
        rejections.add(i, keptChannelOf(item), item, row.errors);
      }
    };
    await admit(channels, ({ channel }) => channel ?? '', 'channel', `${MAX_CHANNELS} channels`);
    const accounts = `${MAX_AD_ACCOUNTS} ad accounts (a channel in a currency)`;
    await admit(adAccounts, ({ channel, currency }) => `${currency} ${channel}`, 'currency', accounts);
  }
}

type Ids = Pick<SpendResult, 'channel' | 'event_date' | 'currency'>;

const check = checkBy(spendRowValidator, checkSpendRules);

const idsOf = (value: unknown): Ids => ({
  channel: channelOf(value),
  event_date: suppliedText(value, 'event_date'),
  currency: suppliedText(value, 'currency'),
});

function channelOf(value: unknown): string | null {
  const { channel } = fieldsOf(value);
  return typeof channel === 'string' ? storedChannel(channel) : null;
}

/** Personal data is removed from the label: in its slug it would no longer be found. */
function keptChannelOf(value: unknown): string | null {
  const { channel } = fieldsOf(value);
  if (typeof channel !== 'string') return null;
  return redactText(channel, 'free') === REMOVED ? REMOVED : storedChannel(channel);
}
