import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** What may be used and passed on without conditions on our own code. */
const TAKEN = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'];
/** Of tools of the tests, which are not passed on: name and licence. */
const OF_TOOLS = [
  'argparse PSF-2.0',
  'argparse Python-2.0',
  'axe-core MPL-2.0',
  'parquet-wasm MIT OR Apache-2.0',
  'type-fest (MIT OR CC0-1.0)',
  // Its package names the licence in an old form: MIT.
  'rechoir ',
];

interface Locked {
  packages: Record<string, { license?: string; dev?: boolean }>;
}

describe('packages', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Locked;
  const others = Object.entries(packages).filter(([path]) => path !== '');

  it('have licences that may be used', () => {
    expect(others.length).to.be.above(100);
    const refused = others.filter(([path, { license = '', dev = false }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return !TAKEN.includes(license) && !(dev && OF_TOOLS.includes(`${name} ${license}`));
    });
    expect(refused).to.deep.equal([]);
  });
});
