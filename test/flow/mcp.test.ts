import { expect } from 'chai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { paidOrder } from '../support/paid-order.js';
import { useService, type Shop } from '../support/service.js';

const DAYS = { from: '2026-03-01', to: '2026-03-31' };

describe('an assistant', () => {
  const service = useService();
  let shop: Shop;
  let client: Client;

  const connect = async (key: string): Promise<Client> => {
    const opened = new Client({ name: 'a test', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await opened.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    return opened;
  };
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
    return { texts: (content as { text: string }[]).map(({ text }) => text), structuredContent, isError };
  };

  before(async () => {
    shop = await service.shop();
    await shop.call('POST', '/v1/orders', { orders: [paidOrder('#1', { placed_at: '2026-03-01T12:00:00Z' })] });
    await service.settled();
    client = await connect(await service.key(shop.id, 'publishable'));
  });
  after(() => client.close());

  it('finds every read of the API as a tool, named and described as in the document', async () => {
    const { tools } = await client.listTools();
    const reads = OPERATIONS.filter(({ method, scope }) => method === 'get' && scope === 'read');
    expect(tools.map(({ name, description }) => ({ name, description }))).to.deep.equal(
      reads.map(({ id, description }) => ({ name: id, description })),
    );
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).to.equal(true);
    expect(tools.find(({ name }) => name === 'getOrder')?.inputSchema).to.deep.include({ required: ['order_id'] });
  });

  it('is answered as the API answers, with the address for a person and whether all is in it', async () => {
    const found = await call('getMetrics', { ...DAYS, include: ['statement', 'coverage'] });
    const { body } = await shop.call('GET', `/v1/metrics?from=${DAYS.from}&to=${DAYS.to}&include=statement,coverage`);
    expect(found.structuredContent).to.deep.equal(body);
    expect(JSON.parse(found.texts[0] ?? '')).to.deep.equal(body);
    expect(found.texts.slice(1)).to.deep.equal([
      `The same in the app: ${service.url}/shop/${shop.id}?from=2026-03-01&to=2026-03-31`,
      'It holds every push that is stored.',
    ]);
    expect(found.texts.join('').length, 'some 4 letters a token').to.be.below(8_000);
    const order = await call('getOrder', { order_id: '#1' });
    expect(order.structuredContent).to.include({ order_id: '#1' });
    expect(order.texts[1]).to.contain(`/shop/${shop.id}/orders/%231`);
    const cohorts = await call('getCohorts', { ...DAYS, by: 'quarter' });
    expect(cohorts.texts[1]).to.match(/\/customers\?from=2026-03-01&to=2026-03-31&by=quarter$/);
  });

  it('is told what is wrong, as by the API', async () => {
    const found = await call('getMetrics', { from: '2026-03-31', to: '2026-03-01', colour: 'red' });
    expect(found.isError).to.equal(true);
    const { errors } = found.structuredContent as { errors: { code: string }[] };
    expect(errors.map(({ code }) => code)).to.include('unknown_field');
    expect((await call('getOrder', { order_id: 'none' })).isError).to.equal(true);
    const long = await call('getOrder', { order_id: 'x'.repeat(20_000) });
    expect(JSON.parse(long.texts[0] ?? '').errors[0].code).to.equal('invalid_request');
    for (const given of [{}, { order_id: '' }, { order_id: null }]) {
      const { isError, structuredContent } = await call('getOrder', given);
      expect(isError).to.equal(true);
      expect(structuredContent).to.deep.include({
        errors: [{ code: 'missing_field', message: 'order_id is required.', field: 'order_id' }],
      });
    }
    expect((await call('getOrder', { order_id: { a: [1] } })).isError).to.equal(true);
    expect(await client.callTool({ name: 'putSource', arguments: {} }).catch(String)).to.contain('no tool');
  });

  it('is told by the code of the protocol which parameters of a message are wrong', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const send = async (method: string, params: object) => {
      const raw = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      const { status, body } = await service.call('POST', '/mcp', { raw, headers, key: shop.key });
      expect([status, body.id, body.error.code], raw).to.deep.equal([200, 7, -32_602]);
      return body.error.message as string;
    };
    expect(await send('tools/call', {})).to.match(/^params\.name: [^\n]+$/);
    expect(await send('tools/call', { name: 1, arguments: 'x' })).to.match(/^params\.name: .*; params\.arguments: /);
    expect(await send('tools/list', { cursor: 1 })).to.match(/^params\.cursor: /);
    expect(await send('initialize', {})).to.match(/^params\.protocolVersion: .*params\.clientInfo: /);
    expect(await send('tools/call', { name: 'x'.repeat(5_000) })).to.have.lengthOf.below(200);
  });

  it('needs a key that reads, and sees its own shop alone', async () => {
    const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { Accept: 'application/json, text/event-stream' };
    const send = (key: string | undefined, more = {}) =>
      service.call('POST', '/mcp', { raw, headers: { ...headers, ...more }, ...(key !== undefined && { key }) });
    expect((await send(undefined)).status).to.equal(401);
    expect((await send(await service.key(shop.id, 'pixel'))).status).to.equal(403);
    expect((await send(shop.key, { Origin: 'https://evil.example' })).status).to.equal(403);
    expect((await send(shop.key, { Origin: service.url })).status).to.equal(200);
    expect((await service.call('GET', '/mcp', { key: shop.key })).status).to.equal(405);
    expect((await service.call('POST', '/mcp', { key: shop.key, headers, raw: `[${raw}]` })).status).to.equal(400);

    const other = await service.shop();
    const stranger = await connect(other.key);
    const { isError } = await stranger.callTool({ name: 'getOrder', arguments: { order_id: '#1' } });
    await stranger.close();
    expect(isError).to.equal(true);
  });

  it('has a call counted as one read', async () => {
    const key = await service.key(shop.id, 'publishable');
    const own = await connect(key);
    const left = async () =>
      Number((await service.call('GET', '/v1/source', { key })).headers.get('ratelimit-remaining'));
    let spent: number;
    // Within one window.
    do {
      const before = await left();
      await own.callTool({ name: 'getSource', arguments: {} });
      spent = before - (await left());
    } while (spent < 0);
    await own.close();
    expect(spent).to.equal(2);
  });
});
