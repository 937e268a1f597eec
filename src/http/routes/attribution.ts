import { channelRows } from '../../domain/attribution/channel-report.js';
import { requestError } from '../../errors.js';
import {
  ATTRIBUTION_MODELS,
  AttributionModelName,
  AttributionResponse,
  ChannelRow,
} from '../../schemas/attribution.js';
import type { AttributionReader } from '../../warehouse/queries/attribution.js';
import type { LossReader } from '../../warehouse/queries/losses.js';
import { boundsOf, readCurrency, readPeriod, type PeriodDeps } from '../../figures/period.js';
import { allPages } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, never, oneOf, RANGE, someOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { noteOf } from './metrics.js';

export interface AttributionDeps extends PeriodDeps {
  attribution: AttributionReader;
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
      "together as `other`. Channels show today's state, so there is no `as_of`.",
    query: {
      range: RANGE,
      model: oneOf('model', ATTRIBUTION_MODELS, 'How credit is given.', AttributionModelName),
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
    async run({ req, res, query: { model = 'last_touch', included, ...query }, format, shopId }, deps) {
      if (format !== null && included.size > 0)
        throw requestError('invalid_value', 'A table has the channels alone: leave include out.', 'include');
      const { range } = query;
      const period = { range, after: query.after, asOf: undefined };
      const { currency: now } = await readCurrency(deps, shopId, period, { credits: true });
      const zone = (await deps.sources.require(shopId)).timezone;
      const [credits, losses, { currency, maker, parts }] = await Promise.all([
        deps.attribution(shopId, range, model),
        included.has('losses') ? deps.losses(shopId, zone, range) : null,
        readPeriod(deps, shopId, period, now),
      ]);
      const channels = channelRows(credits, maker.spendByChannel(range, parts), maker.estimateFees);
      if (format !== null) {
        const pages = allPages(() => Promise.resolve({ rows: channels, last: undefined }));
        return deps.sendExport(req, res, { format, name: 'channels', range, schema: ChannelRow, pages });
      }
      return {
        ...boundsOf(range),
        currency,
        model,
        channels,
        ...(losses !== null && { losses }),
        ...noteOf(maker.leftOut(parts, { expenses: false })),
      };
    },
  }),
];
