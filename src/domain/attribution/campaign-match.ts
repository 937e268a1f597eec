import type { CreditPart } from './channel-credit.js';

/** Credit of the orders of a campaign. */
export interface CampaignPart extends CreditPart {
  /** As campaigns are compared; empty: none. */
  campaign: string;
  /** Its newest spelling. */
  spelling: string;
  /** The last day of that, `YYYY-MM-DD`. */
  last: string;
}

/** Spend of a campaign in the currency of the shop. */
export interface CampaignSpend {
  channel: string;
  /** As sent; empty: not sent. */
  campaign_id: string;
  campaign_name: string;
  /** The same as campaigns are compared. */
  id_key: string;
  name_key: string;
  /** The last day of that, `YYYY-MM-DD`. */
  last: string;
  amount: string;
}

/** A campaign of a channel. */
export interface Campaign {
  /** Null: orders and spend that name none. */
  campaign: string | null;
  campaign_id: string | null;
}

export interface CampaignMatch {
  /** Equal for what belongs to one campaign; empty: none. */
  ofPart: (part: CampaignPart) => string;
  ofSpend: (spend: CampaignSpend) => string;
  named: (key: string) => Campaign;
}

/**
 * Which orders and which spend of one channel belong to one campaign. What orders name is the spend's `campaign_id`, else its
 * `campaign_name`; several ids that share a name which orders say are one campaign, since nothing tells their orders apart. Spend
 * that no order names is a campaign an id, without an id one a name.
 */
export function matchCampaigns(parts: readonly CampaignPart[], spend: readonly CampaignSpend[]): CampaignMatch {
  const newestFirst = spend.toSorted((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0));
  const ids = new Set(spend.map(({ id_key }) => id_key).filter((key) => key !== ''));
  const said = new Set(parts.map(({ campaign }) => campaign).filter((key) => key !== '' && !ids.has(key)));
  const ofId = new Map<string, string>();
  for (const { id_key, name_key } of newestFirst) {
    if (id_key !== '' && name_key !== '' && said.has(name_key) && !ofId.has(id_key)) ofId.set(id_key, byName(name_key));
  }
  const keyOfId = (id: string): string => ofId.get(id) ?? `id ${id}`;
  const keyOf = (id: string, name: string): string => (id !== '' ? keyOfId(id) : name !== '' ? byName(name) : '');
  const ofPart = ({ campaign }: CampaignPart): string => (ids.has(campaign) ? keyOfId(campaign) : keyOf('', campaign));
  const ofSpend = ({ id_key, name_key }: CampaignSpend): string => keyOf(id_key, name_key);

  const names = new Map<string, { last: string; text: string }>();
  const name = (key: string, last: string, text: string): void => {
    const known = names.get(key);
    const isNewer = known === undefined || last > known.last || (last === known.last && text > known.text);
    if (isNewer) names.set(key, { last, text });
  };
  // What orders name is the name of their campaign, unless it is an id and spend knows the name.
  for (const part of parts) if (!ids.has(part.campaign)) name(ofPart(part), part.last, part.spelling);
  const bySpend = new Map<string, Set<string>>();
  for (const each of newestFirst) {
    const key = ofSpend(each);
    if (!names.has(key) && each.campaign_name !== '') names.set(key, { last: '', text: each.campaign_name });
    if (each.campaign_id !== '') bySpend.set(key, (bySpend.get(key) ?? new Set()).add(each.campaign_id));
  }
  return {
    ofPart,
    ofSpend,
    named(key) {
      const [id, ...others] = bySpend.get(key) ?? [];
      if (key === '') return { campaign: null, campaign_id: null };
      return { campaign: names.get(key)?.text ?? id ?? null, campaign_id: others.length > 0 ? null : (id ?? null) };
    },
  };
}

const byName = (name: string): string => `name ${name}`;
