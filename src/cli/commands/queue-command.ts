import { Command } from 'commander';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { examples } from '../help.js';
import { withProducer } from '../with-stores.js';

/** The command `profit queue …`. */
export function queueCommand(print: (line: string) => void): Command {
  const queue = new Command('queue').description('jobs that failed and were kept');
  queue
    .command('failed <queue>')
    .description('list dead letters, newest first, one JSON object a line')
    .option('--limit <n>', 'how many', '100')
    .addHelpText('after', examples('queue failed orders', 'queue failed events --limit 5'))
    .action((name: string, { limit }: { limit: string }) => {
      const queueName = named(name);
      if (!/^[1-9]\d{0,5}$/.test(limit)) throw new RangeError('--limit must be a whole number, 1 to 999999');
      return withProducer(async (producer) => {
        const jobs = await producer.failed(queueName, Number(limit));
        for (const job of jobs) print(JSON.stringify(job));
        // Not among the JSON, which another program may read.
        if (jobs.length === 0) process.stderr.write(`No job of the queue ${queueName} has failed.\n`);
      });
    });
  queue
    .command('retry <queue> [ids...]')
    .description('put dead letters back: the named ones, or all')
    .addHelpText('after', examples('queue retry orders'))
    .action((name: string, ids: string[]) => {
      const queueName = named(name);
      return withProducer(async (producer) =>
        print(`${await producer.retryFailed(queueName, ids.length > 0 ? ids : undefined)} jobs put back`),
      );
    });
  return queue;
}

function named(text: string): QueueName {
  const name = QUEUES.find((candidate) => candidate === text);
  if (name === undefined) throw new RangeError(`"${text}" is no queue; the queues are ${QUEUES.join(', ')}`);
  return name;
}
