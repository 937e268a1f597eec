import { PassThrough } from 'node:stream';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { retryLetter } from '../../src/cli/queue/letters.js';
import { runVerify } from '../../src/cli/backup/verify.js';
import { whileOpen } from '../../src/cli/while-open.js';
import { eventQueuePlace } from '../../src/composition/stores.js';
import { createDeadLetters } from '../../src/queue/dead-letters.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { OPERATOR_ENV } from '../console/support.js';
import { environment, type Service } from './service.js';
import type { Engines } from './engines.js';

type Common = Parameters<typeof runBackup>[1];

/** The environment of a service that holds a fixture. Its past is kept as long as it can be, so that no answer goes with time. */
export const releaseEnvironment = (engines: Engines): NodeJS.ProcessEnv => ({
  ...environment(engines),
  ...OPERATOR_ENV,
  SECRETS_KEY: 'the made-up key of a fixture',
  EVENT_RETENTION_DAYS: '10000',
  HISTORY_RETENTION_DAYS: '3650',
});

/** What commands run on: a backup and its restore in `folder`. */
async function withCommon<T>({ config }: Service, folder: string, use: (common: Common) => Promise<T>): Promise<T> {
  const redis = connectWorker({ url: config.redisUrl ?? '' });
  try {
    return await whileOpen(await openRowServers(config, { waitMs: 60_000 }), (servers) =>
      use({
        servers,
        folder,
        redisOf: () => redis,
        eventQueuePlace: eventQueuePlace(config),
        stderr: new PassThrough().resume(),
        signal: new AbortController().signal,
      }),
    );
  } finally {
    redis.disconnect();
  }
}

/** What `profit backup` does. */
export const backUp = (service: Service, folder: string) =>
  withCommon(service, folder, (common) => runBackup(service.stores, common));

/** What `profit restore` does, without the migration before it. */
export const restore = (service: Service, folder: string) =>
  withCommon(service, folder, (common) => runRestore(service.stores, { ...common, producer: service.deps.producer }));

/** What `profit restore --verify` does after the restore. Gives the figures that differ, as lines. */
export const differencesOf = (service: Service): Promise<string[]> =>
  withCommon(service, '', async (common) => {
    const lines: string[] = [];
    const { days, behind } = await runVerify(service.stores, { ...common, print: (line) => lines.push(line) });
    return [...lines, ...(behind > 0 ? [`${behind} days behind`] : []), ...(days === 0 ? ['no days'] : [])];
  });

/** What `profit queue retry` does with one dead letter; false if it is gone. */
export const retry = (service: Service, { queue, id }: { queue: 'spend'; id: string }): Promise<boolean> =>
  withCommon(service, '', (common) =>
    whileOpen(createDeadLetters(common.redisOf(queue), queue), (letters) =>
      retryLetter(letters, service.stores.receipts, queue, id),
    ),
  );
