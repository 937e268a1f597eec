import { join, relative } from 'node:path';
import type { Runtime } from './runtime.js';
import type { SupervisorConfig } from './supervisor-config.js';

/** What the terminal shows. */

const here = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
};

export const readyText = (url: string, link: string, config: SupervisorConfig, metrics: Runtime['metrics']): string =>
  [
    '',
    `Ready at ${url}`,
    '',
    '  make a key   npm run --silent profit -- keys create --shop demo --kind secret',
    '  real orders  npm run demo',
    `  the app      ${link}`,
    '               (signs in once, within the hour; another link: npm run --silent profit -- sign-in)',
    `  keys (app)   ${url}/developers`,
    ...(metrics === undefined ? [] : [`  metrics      ${metrics.api}, of the worker ${metrics.worker}`]),
    `  data         ${here(config.dataDir)}`,
    ...(config.logToStdout ? [] : [`  logs         ${here(join(config.dataDir, 'logs'))}`]),
    '',
    'Ctrl-C stops everything.',
  ].join('\n');

export function alreadyRunning(dataDir: string, runtime: Runtime | undefined): string {
  const which = runtime ? `process ${runtime.pid}, ${runtime.url}` : 'it is just starting or stopping';
  return [
    `The service already runs on the data folder ${here(dataDir)} (${which}).`,
    'Stop that one first, or start a second one beside it: DATA_DIR=.data2 PORT=3001 npm start',
  ].join('\n');
}

export const portTaken = (host: string, port: number): string =>
  `port ${port} on ${host} is taken by another program; choose another: PORT=${port < 65_535 ? port + 1 : 3000} npm start`;

/** An error and its causes, for a person. */
export function explain(error: unknown): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) messages.push(at.message);
  return `Not started: ${messages.length > 0 ? messages.join('\n  ') : String(error)}`;
}
