import { expect } from 'chai';
import { versionFault, versionWarning, type StoreVersion } from '../../src/domain/store-versions.js';

const of = (program: StoreVersion['program'], version: string): StoreVersion => ({ program, version, at: 'host:1' });

describe('the versions of the stores', () => {
  it('are refused below the least one, in a sentence that says what to take', () => {
    expect(versionFault(of('ClickHouse', '26.6.9.99'))).to.equal(
      'ClickHouse 26.6.9.99 at host:1 is too old: the service needs 26.7 or later, best 26.7.6.49 or later',
    );
    const refused: [StoreVersion['program'], string][] = [
      ['ClickHouse', '25.8.29.21'],
      ['ClickHouse', '9.99'],
      ['ClickHouse', ''],
      ['Redis', '6.2.20'],
      ['Valkey', '7.1.9'],
      ['Redis', ''],
    ];
    for (const [program, version] of refused) expect(versionFault(of(program, version)), version).to.match(/too old/);
    const taken: [StoreVersion['program'], string][] = [
      ['ClickHouse', '26.7'],
      ['ClickHouse', '26.7.1.1'],
      ['ClickHouse', '26.10.2.1'],
      ['ClickHouse', '26.8.2.7.altinitystable'],
      ['ClickHouse', '27.1.1.1'],
      ['Redis', '7.0.15'],
      ['Redis', '10.0.0'],
      ['Valkey', '7.2.0-rc1'],
    ];
    for (const [program, version] of taken) expect(versionFault(of(program, version)), version).to.equal(undefined);
  });

  it('have a warning where they have a known hole, which it names', () => {
    const warned: [StoreVersion['program'], string, RegExp][] = [
      [
        'ClickHouse',
        '26.7.6.4',
        /mergeTreeIndex shows keys of rows that a row policy hides: take 26\.7\.6\.49 or later$/,
      ],
      ['ClickHouse', '26.7.3.1', /mergeTreeIndex/],
      [
        'ClickHouse',
        '26.7.6.48',
        /older than the one that the deployments of this project name: take 26\.7\.6\.49 or later$/,
      ],
      ['Redis', '7.0.15', /CVE-2025-49844 .*: take 7\.4\.6 or later$/],
      ['Redis', '7.2.10', /CVE-2025-49844/],
      ['Redis', '7.4.5', /CVE-2025-49844/],
      ['Redis', '8.0.3', /CVE-2025-49844/],
      ['Redis', '8.2.1', /CVE-2025-49844/],
      ['Valkey', '8.0.5', /CVE-2025-49844/],
    ];
    for (const [program, version, text] of warned) expect(versionWarning(of(program, version)), version).to.match(text);
    const quiet: [StoreVersion['program'], string][] = [
      ['ClickHouse', '26.7.6.49'],
      ['ClickHouse', '26.8.1.2041'],
      ['Redis', '7.2.11'],
      ['Redis', '7.4.6'],
      ['Redis', '7.4.10'],
      ['Redis', '8.2.2'],
      ['Redis', '8.6.0'],
      ['Valkey', '8.1.4'],
      ['Valkey', '9.0.0'],
    ];
    for (const [program, version] of quiet) expect(versionWarning(of(program, version)), version).to.equal(undefined);
  });
});
