import { expect } from 'chai';
import { useService } from '../support/service.js';

describe('a day whose rebuild fails', () => {
  const service = useService({ workers: false });

  it('is told in the ingest status of its shop alone, with the reason', async () => {
    const shop = await service.shop();
    const other = await service.shop();
    const { rebuildQueues } = service.stores;
    const since = Date.now();
    await rebuildQueues.add('fresh', new Map([[shop.id, ['2026-03-01']]]));
    const claims = await rebuildQueues.lanes.fresh.claim(1_000, 60_000);
    for (const claim of claims.filter(({ shopId }) => shopId === shop.id)) {
      await rebuildQueues.lanes.fresh.quarantine(claim, 'MEMORY_LIMIT_EXCEEDED');
    }
    await rebuildQueues.lanes.fresh.release(claims.filter(({ shopId }) => shopId !== shop.id));
    const { body } = await shop.call('GET', '/v1/ingest/status');
    expect(body.failed_days).to.have.length(1);
    expect(body.failed_days[0]).to.include({ date: '2026-03-01', reason: 'MEMORY_LIMIT_EXCEEDED', tries: 1 });
    expect(Date.parse(body.failed_days[0].since)).to.be.closeTo(since, 60_000);
    expect((await other.call('GET', '/v1/ingest/status')).body).to.not.have.property('failed_days');
  });
});
