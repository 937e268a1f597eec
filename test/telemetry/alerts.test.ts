import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isDebian } from '../support/debian.js';

const FOLDER = 'clickhouse/server/monitoring';
const rules = readFileSync(`${FOLDER}/alerts.yml`, 'utf8');
const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');

describe('the alerts', () => {
  if (isDebian) {
    it('fire for what they are for, and for nothing before', () => {
      const run = (...args: string[]): string => execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
      expect(run('check', 'config', '--syntax-only', 'prometheus.yml')).to.include('SUCCESS');
      expect(run('check', 'rules', 'alerts.yml')).to.include(`SUCCESS: ${names.length} rules`);
      expect(run('test', 'rules', 'alerts.test.yml')).to.include('SUCCESS');
    });
  }

  it('are each tested, and each has its line in the operations page', () => {
    const tests = readFileSync(`${FOLDER}/alerts.test.yml`, 'utf8');
    const page = readFileSync('clickhouse/server/README.md', 'utf8');
    expect(names).to.have.length.above(8);
    for (const name of names) {
      expect(tests, name).to.match(new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n`));
      // Its meaning and what to do, each a sentence.
      const [, meaning = '', action = ''] =
        new RegExp(`^\\| \`${name}\` +\\| (.+?) +\\| (.+?) +\\|$`, 'm').exec(page) ?? [];
      expect([meaning.length, action.length], name).to.satisfy((lengths: number[]) => Math.min(...lengths) > 10);
    }
  });
});
