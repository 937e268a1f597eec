import type { CampaignRow } from '../../schemas/attribution.js';
import { compare } from '../compare.js';
import type { FeeEstimate } from '../costs/gateway-fees.js';
import { spendChannel } from '../costs/spend-channel.js';
import { OTHER_CHANNEL } from '../events/campaign.js';
import { compareFractions, fraction, isZero, minus, plus, sum, ZERO, type Fraction } from '../money.js';
import { matchCampaigns, type CampaignPart, type CampaignSpend } from './campaign-match.js';
import { creditsOf, NO_CREDIT } from './channel-credit.js';
import { channelEntries, columnsOf, inOrder, rowOf, type Entry } from './channel-report.js';

/** Campaigns of a report that only spend names; those of the least spend count as naming none. */
const MAX_SPENT = 1_000;

/**
 * The rows of a period by channel and campaign, of which each column adds up exactly to the rows of its channel in
 * `channelRows`, and so to the metrics.
 *
 * @param campaignSpend spend of campaigns, of which `spend` may hold more: that names none
 */
export function campaignRows(
  parts: readonly CampaignPart[],
  campaignSpend: readonly CampaignSpend[],
  spend: ReadonlyMap<string, Fraction>,
  estimateFees: FeeEstimate,
): CampaignRow[] {
  const channels = channelEntries(parts, spend, estimateFees);
  const told = new Set(channels.map(({ channel }) => channel));
  const toldAs = (channel: string): string => (told.has(channel) ? channel : OTHER_CHANNEL);
  const partsOf = grouped(parts, ({ channel }) => toldAs(channel));
  const spendOf = grouped(campaignSpend, ({ channel }) => toldAs(spendChannel(channel)));
  const unnamed = leastSpent(campaignSpend, partsOf, spendOf);
  const columns = columnsOf(channels);
  const rows = channels.flatMap((whole, at) => {
    const { channel } = whole;
    const own = { parts: partsOf.get(channel) ?? [], spend: spendOf.get(channel) ?? [] };
    const match = matchCampaigns(own.parts, own.spend);
    const credits = creditsOf(
      own.parts.map((part) => ({ ...part, channel: match.ofPart(part) })),
      estimateFees,
    );
    const spent = new Map<string, Fraction>();
    for (const each of own.spend) {
      const key = match.ofSpend(each);
      if (key === '' || unnamed.has(`${channel}\n${key}`)) continue;
      spent.set(key, plus(spent.get(key) ?? ZERO, fraction(each.amount)));
    }
    const rest = minus(whole.adSpend, sum([...spent.values()]));
    const keys = [...new Set([...credits.keys(), ...spent.keys()])].filter((key) => key !== '').sort(compare);
    if (keys.length === 0 || credits.has('') || !isZero(rest)) keys.push('');
    const entries = keys.map((key): Entry => ({
      channel,
      ...NO_CREDIT,
      ...credits.get(key),
      adSpend: key === '' ? rest : (spent.get(key) ?? ZERO),
    }));
    const parted = columnsOf(entries, columns[at]);
    return entries.map((entry, i) => {
      const { row, ...place } = rowOf(entry, parted[i]);
      const { channel: name, ...figures } = row;
      return { row: { channel: name, ...match.named(keys[i] ?? ''), ...figures }, ...place };
    });
  });
  return inOrder(rows);
}

/** By channel and campaign. */
function leastSpent(
  all: readonly CampaignSpend[],
  partsOf: ReadonlyMap<string, readonly CampaignPart[]>,
  spendOf: ReadonlyMap<string, readonly CampaignSpend[]>,
): ReadonlySet<string> {
  if (all.length <= MAX_SPENT) return new Set();
  const spent = new Map<string, Fraction>();
  for (const [channel, own] of spendOf) {
    const parts = partsOf.get(channel) ?? [];
    const match = matchCampaigns(parts, own);
    const said = new Set(parts.map(match.ofPart));
    for (const each of own) {
      const key = match.ofSpend(each);
      if (key === '' || said.has(key)) continue;
      const name = `${channel}\n${key}`;
      spent.set(name, plus(spent.get(name) ?? ZERO, fraction(each.amount)));
    }
  }
  const sorted = [...spent].sort(([a, x], [b, y]) => compareFractions(y, x) || compare(a, b));
  return new Set(sorted.slice(MAX_SPENT).map(([name]) => name));
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
