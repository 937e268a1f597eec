import { Command } from 'commander';
import { misdatedText, runCheck } from '../days/check-days.js';
import { runMend } from '../days/mend-days.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { withProducer, withStores } from '../with-stores.js';
import { dayOptions, type DayChoice } from './chosen-days.js';

/** The command `profit days …`. */
export function daysCommand(print: (line: string) => void): Command {
  const { stderr } = process;
  const days = new Command('days').description(
    'days of orders, which a later release of the time zones may cut otherwise',
  );
  dayOptions(days.command('check'))
    .description('list the orders that would count on another day now, with their amounts. Exit: 0 none, 1 some')
    .addHelpText('after', examples('days check', 'days check --shop demo'))
    .action((options: DayChoice) =>
      withStores(async (stores) => {
        const found = await runCheck(stores, { ...options, print, stderr, signal: untilInterrupted() });
        print(misdatedText(found));
        if (found.orders > 0) process.exitCode = 1;
      }),
    );
  dayOptions(days.command('mend'))
    .description('move them to their days, while the service runs: restated with the cause clock')
    .addHelpText('after', examples('days mend', 'days mend --shop demo'))
    .action((options: DayChoice) =>
      withProducer('orders', (queue) =>
        withStores(async (stores) => {
          const signal = untilInterrupted();
          const { moved, left } = await runMend({ stores, ...queue }, { ...options, print, stderr, signal });
          print(`${moved} orders moved`);
          if (left > 0) process.exitCode = 1;
        }),
      ),
    );
  return days;
}
