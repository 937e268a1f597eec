import { Option } from 'commander';

/** The API key of a command that works through the API: `--key`, else the variable PROFIT_KEY. */
export const keyOption = (description: string): Option => new Option('--key <key>', description).env('PROFIT_KEY');

/** Throws a RangeError that says how a key is given. */
export function requireKey(key: string | undefined): string {
  if (key !== undefined && key !== '') return key;
  throw new RangeError('no key is given: set PROFIT_KEY, or give --key (keys create --kind secret makes one)');
}
