import { campaignRows } from '../../domain/attribution/campaign-report.js';
import { channelRows } from '../../domain/attribution/channel-report.js';
import type { FeeEstimate } from '../../domain/costs/gateway-fees.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { Fraction } from '../../domain/money.js';
import { requestError } from '../../errors.js';
import {
  ATTRIBUTION_BY,
  ATTRIBUTION_MODELS,
  type AttributionModel,
  AttributionModelName,
  AttributionResponse,
  CampaignRow,
  ChannelRow,
} from '../../schemas/attribution.js';
import type { AttributionReader } from '../../warehouse/queries/attribution.js';
import type { CampaignReader } from '../../warehouse/queries/campaigns.js';
import type { LossReader } from '../../warehouse/queries/losses.js';
import { boundsOf, readCurrency, readPeriod, type PeriodDeps } from '../../figures/period.js';
import { allPages } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, never, oneOf, RANGE, someOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { noteOf } from '../../figures/currency-note.js';

export interface AttributionDeps extends PeriodDeps {
  attribution: AttributionReader;
  campaigns: CampaignReader;
  losses: LossReader;
  sendExport: SendExport;
}

/** `GET /v1/attribution` (contract: "Beyond the specification"). */
export const attributionRoutes: readonly Route<AttributionDeps>[] = [
  defineRoute({
    id: 'getAttribution',
    method: 'get',
    path: '/v1/attribution',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Orders, revenue and profit by channel',
    description:
      'Orders of the range with their revenue and refunds, credited to the channels of the visits that the pixel saw in the 30 ' +
      'days before each order. Orders without such a visit are `unattributed`. Their costs are those of GET /v1/metrics, ' +
      'which each column adds up to. Each channel says what part of it is `proved`: what ' +
      'proves a visit, and which sign wins where signs contradict each other, stands with the reasons in one table under ' +
      '"Channels and evidence" in `pixel/README.md`. A shop has at most 1,000 channels of spend; the pixel gives channels of a ' +
      'fixed list, where an unknown campaign is `other`. Of more than 1,000 channels, those of the least revenue are told ' +
      'together as `other`. With `by=campaign` a row is a campaign of a channel: the `utm_campaign` of the visit, else the campaign id of ' +
      'the click (`utm_id`, `gad_campaignid`, `campaign_id` or `campaignid` of its link), which the order keeps when its events are gone. ' +
      'Its `ad_spend` is that of the same channel whose `campaign_id` is what the orders name, else whose `campaign_name` is; letter case and ' +
      'blanks make no difference, and ids that share a name which orders say are one row. Spend of a campaign that no order names is a row of ' +
      'its own, and the row with `campaign: null` has what names none. At most 1,000 campaigns that orders name, those of the most revenue, ' +
      "and 1,000 that only spend names are told apart. Channels show today's state, so there is no `as_of`.",
    query: {
      range: RANGE,
      model: oneOf('model', ATTRIBUTION_MODELS, 'How credit is given.', AttributionModelName),
      by: oneOf('by', ATTRIBUTION_BY, '`campaign`: a row is a campaign of a channel. Absent: a channel.'),
      included: someOf(
        'include',
        ['losses'],
        '`losses` adds why orders are `unattributed`, by day and cause. Absent: nothing is added.',
      ),
      after: AFTER,
      asOf: never('as_of', "channels show today's state"),
    },
    answers: { 200: { description: 'A row a channel.', schema: AttributionResponse, rows: 'channel' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'unattributed',
        summary: 'A day whose only order no visit led to',
        query: { from: '2026-03-01', to: '2026-03-01', model: 'linear' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-01',
          currency: 'EUR',
          model: 'linear',
          channels: [
            {
              channel: 'expenses',
              orders: 0,
              revenue: '0.00',
              refunds: '0.00',
              net_revenue: '0.00',
              cogs: '0.00',
              gateway_fees: '0.00',
              ad_spend: '1.00',
              profit: '-1.00',
              roas: '0.00',
              proved: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
              claimed: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
              ambiguous: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
            },
            {
              channel: 'unattributed',
              orders: 1,
              revenue: '38.90',
              refunds: '0.00',
              net_revenue: '38.90',
              cogs: '11.20',
              gateway_fees: '0.82',
              ad_spend: '0.00',
              profit: '26.88',
              roas: null,
              proved: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
              claimed: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
              ambiguous: { orders: 1, revenue: '38.90', net_revenue: '38.90' },
            },
          ],
        },
      },
    ],
    async run({ req, res, query: { model = 'last_touch', by, included, ...query }, format, shopId }, deps) {
      if (format !== null && included.size > 0)
        throw requestError('invalid_value', 'A table has the channels alone: leave include out.', 'include');
      const { range } = query;
      const period = { range, after: query.after, asOf: undefined };
      const now = await readCurrency(deps, shopId, period, { credits: true });
      const zone = (await deps.sources.require(shopId)).timezone;
      const [rowsOf, losses, { currency, maker, parts }] = await Promise.all([
        by === 'campaign'
          ? readCampaigns(deps, shopId, range, { model, source: now })
          : readChannels(deps, shopId, range, model),
        included.has('losses') ? deps.losses(shopId, zone, range) : null,
        readPeriod(deps, shopId, period, now),
      ]);
      const channels = rowsOf(maker.spendByChannel(range, parts), maker.estimateFees);
      if (format !== null) {
        const pages = allPages(() => Promise.resolve({ rows: channels, last: undefined }));
        const table =
          by === 'campaign' ? { name: 'campaigns', schema: CampaignRow } : { name: 'channels', schema: ChannelRow };
        return deps.sendExport(req, res, { format, range, ...table, pages });
      }
      return {
        ...boundsOf(range),
        currency,
        model,
        ...(by !== undefined && { by }),
        channels,
        ...(losses !== null && { losses }),
        ...noteOf(maker, parts, { expenses: false }),
      };
    },
  }),
];

/** What rows are made by, once the costs of the period are known. */
type RowMaker = (spend: ReadonlyMap<string, Fraction>, estimateFees: FeeEstimate) => (ChannelRow | CampaignRow)[];

async function readChannels(
  { attribution }: AttributionDeps,
  shopId: string,
  range: DayRange,
  model: AttributionModel,
): Promise<RowMaker> {
  const credits = await attribution(shopId, range, model);
  return (...costs) => channelRows(credits, ...costs);
}

async function readCampaigns({ campaigns }: AttributionDeps, ...asked: Parameters<CampaignReader>): Promise<RowMaker> {
  const { parts, spend } = await campaigns(...asked);
  return (...costs) => campaignRows(parts, spend, ...costs);
}
