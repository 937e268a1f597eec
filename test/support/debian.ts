import { existsSync, readFileSync } from 'node:fs';

/** Some programs that tests ask are installed on Debian alone, see `src/tooling/setup.mjs`. */
export const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
