import { UNATTRIBUTED_CHANNEL } from '../attribution/attribution.js';

/** The credit of an order by channel, as `order_attribution` has it. */
export interface StoredCredit {
  last_touch: string;
  last_evidence: string;
  first_touch: string;
  first_evidence: string;
  touches: number;
  linear: { channels: readonly string[]; evidence: readonly string[]; touches: readonly number[] };
  loss: string;
}

/** The same with the campaigns, which no sum of a day is kept by; empty: none. */
export interface CampaignCredit extends StoredCredit {
  last_campaign: string;
  first_campaign: string;
  linear: StoredCredit['linear'] & { campaigns: readonly string[] };
}

/** Of an order that no event names. */
export const CREDIT_OF_NONE: CampaignCredit = {
  last_touch: '',
  last_evidence: '',
  last_campaign: '',
  first_touch: '',
  first_evidence: '',
  first_campaign: '',
  touches: 0,
  linear: { channels: [], evidence: [], campaigns: [], touches: [] },
  loss: '',
};

/** A part of an order that a channel is credited with: `weight` of `parts`. */
export interface CreditShare {
  /** `losses`: the channel is then the cause why the order is unattributed. */
  model: string;
  channel: string;
  evidence: string;
  parts: number;
  weight: number;
}

const LOSSES = 'losses';

/** Whom an order is credited to, by model. */
export function sharesOf({ linear, ...credit }: StoredCredit): CreditShare[] {
  const whole = { parts: 1, weight: 1 };
  const loss = (cause: string): CreditShare => ({ model: LOSSES, channel: cause, evidence: '', ...whole });
  if (credit.last_touch === '') {
    const none = { channel: UNATTRIBUTED_CHANNEL, evidence: 'ambiguous', ...whole };
    return [...['last_touch', 'first_touch', 'linear'].map((model) => ({ model, ...none })), loss('not_named')];
  }
  return [
    { model: 'last_touch', channel: credit.last_touch, evidence: credit.last_evidence, ...whole },
    { model: 'first_touch', channel: credit.first_touch, evidence: credit.first_evidence, ...whole },
    ...linear.channels.map((channel, i) => ({
      model: 'linear',
      channel,
      evidence: linear.evidence[i] ?? '',
      parts: credit.touches,
      weight: linear.touches[i] ?? 0,
    })),
    ...(credit.last_touch === UNATTRIBUTED_CHANNEL ? [loss(credit.loss === '' ? 'not_named' : credit.loss)] : []),
  ];
}

export const isLoss = ({ model }: CreditShare): boolean => model === LOSSES;
