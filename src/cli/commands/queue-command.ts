import { Command } from 'commander';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { examples } from '../help.js';
import { choose, forEach, retryLetter, summarise, type Choice } from '../queue/letters.js';
import { exportLetters, importLetters } from '../queue/letter-files.js';
import { withDeadLetters, withProducer } from '../with-stores.js';

interface Filters {
  shop?: string;
  reason?: string;
}

/** The command `profit queue …`. */
export function queueCommand(print: (line: string) => void): Command {
  const queue = new Command('queue').description('jobs that failed for good and were kept (dead letters)');
  const command = (form: string, description: string, ...calls: string[]): Command =>
    queue
      .command(form)
      .description(description)
      .addHelpText('after', examples(...calls));
  const filtered = (form: string, description: string, ...calls: string[]): Command =>
    command(form, description, ...calls)
      .option('--shop <id>', 'those that hold a push of this shop')
      .option('--reason <text>', 'those whose reason has this text in it');

  filtered('failed <queue>', 'list them, newest first, one JSON object a line', 'queue failed events --limit 5')
    .option('--limit <n>', 'how many', '100')
    .action((name: string, options: Filters & { limit: string }) => {
      const queueName = named(name);
      const { limit } = options;
      if (!/^[1-9]\d{0,5}$/.test(limit)) throw new RangeError('--limit must be a whole number, 1 to 999999');
      return withDeadLetters(queueName, async (letters) => {
        let left = Number(limit);
        for await (const letter of choose(letters, options)) {
          print(JSON.stringify(summarise(letter, await letters.data(letter.id))));
          if (--left > 0) continue;
          // Not among the JSON, which another program may read.
          process.stderr.write('More may follow: --limit shows more.\n');
          return;
        }
        if (left === Number(limit)) process.stderr.write(`No job of the queue ${queueName} has failed.\n`);
      });
    });

  filtered('retry <queue> [ids...]', 'put them back: the named ones, or all', 'queue retry orders').action(
    (name: string, ids: string[], filters: Filters) => {
      const queueName = named(name);
      return withDeadLetters(queueName, async (letters, receipts) => {
        const chosen = choose(letters, choiceOf(ids, filters));
        const count = await forEach(chosen, (id) => retryLetter(letters, receipts, queueName, id));
        print(`${count} jobs put back`);
      });
    },
  );

  filtered(
    'drop <queue> [ids...]',
    'delete them for good: what they hold is lost, unless it was exported',
    'queue drop orders --reason TOO_LARGE',
  )
    .option('--all', 'all of them')
    .action((name: string, ids: string[], { all, ...filters }: Filters & { all?: true }) => {
      const choice = choiceOf(ids, filters);
      if (all === undefined && Object.keys(choice).length === 0) {
        throw new RangeError('say which: ids, --shop, --reason or --all');
      }
      return withDeadLetters(named(name), async (letters) => {
        print(`${await forEach(choose(letters, choice), (id) => letters.drop(id))} jobs deleted`);
      });
    });

  filtered(
    'export <queue> <file>',
    'write them with all their data to a new file, which "queue import" reads',
    'queue export orders letters.ndjson --drop',
  )
    .option('--drop', 'delete each one once the file holds it')
    .action((name: string, file: string, { drop, ...filters }: Filters & { drop?: true }) => {
      const queueName = named(name);
      return withDeadLetters(queueName, async (letters) => {
        const chosen = choose(letters, choiceOf([], filters));
        const count = await exportLetters({ queue: queueName, letters, chosen, file, drop: drop ?? false });
        print(`${count} jobs written to ${file}${drop === true ? ' and deleted' : ''}`);
      });
    });

  command(
    'import <queue> <file>',
    'put the jobs of an exported file back',
    'queue import orders letters.ndjson',
  ).action((name: string, file: string) => {
    const queueName = named(name);
    return withProducer(queueName, async (target) =>
      print(`${await importLetters(queueName, target, file)} jobs put back`),
    );
  });
  return queue;
}

function choiceOf(ids: readonly string[], { shop, reason }: Filters): Choice {
  return {
    ...(ids.length > 0 && { ids }),
    ...(shop !== undefined && { shop }),
    ...(reason !== undefined && { reason }),
  };
}

function named(text: string): QueueName {
  const name = QUEUES.find((candidate) => candidate === text);
  if (name === undefined) throw new RangeError(`"${text}" is no queue; the queues are ${QUEUES.join(', ')}`);
  return name;
}
