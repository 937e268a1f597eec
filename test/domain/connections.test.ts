import { expect } from 'chai';
import { toConnections, type ConnectionInput } from '../../src/domain/connections.js';
import { keyRecord, type KeyRecord, type NewKey } from '../../src/domain/keys.js';
import type { SourceRecord } from '../../src/domain/source.js';

const NOW = Date.UTC(2026, 2, 1);
const source: SourceRecord = {
  shopId: 's',
  platform: 'woocommerce',
  currency: 'EUR',
  timezone: 'UTC',
  shopDomain: 'shop.example.com',
  ownHosts: [],
  registeredAt: NOW - 1000,
  lockedAt: null,
  closedAt: null,
  revision: '1',
};
const key = (fields: Partial<NewKey> & Partial<Pick<KeyRecord, 'revokedAt'>> = {}): KeyRecord => ({
  ...keyRecord({ key: 'k', shopId: 's', kind: 'secret', ...fields }, NOW - 5000),
  revokedAt: fields.revokedAt ?? null,
});
const connections = (fields: Partial<ConnectionInput> = {}) =>
  toConnections({ source, keys: [], adChannels: [], nowMs: NOW, ...fields });

describe('connections', () => {
  it('shows a store and a pixel that are not connected before anything was registered or received', () => {
    expect(connections({ source: null })).to.deep.equal([
      { channel: 'store', status: 'not_connected' },
      { channel: 'pixel', status: 'not_connected' },
    ]);
  });

  it('gives each entry the fields that apply to it', () => {
    const received = { firstMs: NOW - 100, lastMs: NOW - 50 };
    const adChannels = [
      { channel: 'custom:tv', accounts: 2, lastMs: NOW - 10 },
      { channel: 'custom:radio', accounts: 1, lastMs: NOW - 20 },
    ];
    expect(connections({ orders: received, events: received, adChannels })).to.deep.equal([
      {
        channel: 'woocommerce',
        status: 'connected',
        shop_domain: 'shop.example.com',
        currency: 'EUR',
        connected_at: '2026-02-28T23:59:59.000Z',
        last_synced_at: '2026-02-28T23:59:59.950Z',
      },
      {
        channel: 'pixel',
        status: 'connected',
        connected_at: '2026-02-28T23:59:59.900Z',
        last_synced_at: '2026-02-28T23:59:59.950Z',
      },
      { channel: 'custom:radio', status: 'connected', ad_accounts: 1, last_synced_at: '2026-02-28T23:59:59.980Z' },
      { channel: 'custom:tv', status: 'connected', ad_accounts: 2, last_synced_at: '2026-02-28T23:59:59.990Z' },
    ]);
  });

  it('needs new keys once every key that could write is revoked or expired', () => {
    const store = (keys: KeyRecord[]) => connections({ keys })[0]?.status;
    expect(store([key({ revokedAt: NOW - 1 })])).to.equal('needs_reauth');
    expect(store([key({ expiresAt: NOW })])).to.equal('needs_reauth');
    expect(store([key({ revokedAt: NOW - 1 }), key()])).to.equal('connected');
    expect(store([key({ revokedAt: NOW + 1 })])).to.equal('connected');
    // A key that reads is no help, and one that never could write takes nothing away.
    expect(store([key({ revokedAt: NOW - 1 }), key({ kind: 'publishable' })])).to.equal('needs_reauth');
    expect(store([key({ kind: 'publishable', revokedAt: NOW - 1 })])).to.equal('connected');
  });

  it('judges each channel by the keys that write it', () => {
    const events = { firstMs: 1, lastMs: 1 };
    const adChannels = [{ channel: 'custom:tv', accounts: 1, lastMs: NOW - 20 }];
    const keys = [
      key({ scopes: ['orders:write'] }),
      key({ scopes: ['costs:write'], revokedAt: NOW - 1 }),
      key({ kind: 'pixel', revokedAt: NOW - 1 }),
    ];
    const statuses = connections({ keys, events, adChannels }).map(({ channel, status }) => [channel, status]);
    expect(statuses).to.deep.equal([
      ['woocommerce', 'connected'],
      ['pixel', 'needs_reauth'],
      ['custom:tv', 'needs_reauth'],
    ]);
  });

  it('calls a closed shop uninstalled', () => {
    const closed = { ...source, closedAt: NOW - 1 };
    expect(connections({ source: closed }).map(({ status }) => status)).to.deep.equal(['uninstalled', 'not_connected']);
  });
});
