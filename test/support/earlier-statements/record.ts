import { writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { serviceEnvironment, startService, type Service } from '../service.js';
import { stopEngines } from '../shared-engines.js';
import { AFTER, BEFORE, READS } from './life-of-a-shop.js';
import { sortedLines, type EarlierRelease, type Statement } from './replay.js';

/**
 * Records what a release sends to ClickHouse, and which answers it gets, while a shop lives its life. Run in that release, with
 * this folder copied into it:
 *
 *   node --import tsx test/support/earlier-statements/record.ts NNN
 *
 * NNN is the number of its newest migration. A file is kept as long as its release may run beside the newest schema.
 */
const name = process.argv[2] ?? '';
if (!/^\d{3}$/.test(name)) throw new RangeError('say the number of the newest migration, such as 040');
const shop = `earlier-${name}`;

/** Of no table of the service, or other at each run. */
const LEFT_OUT = /\bsystem\.|schema_migrations|^KILL|^SELECT 1|^\s*(CREATE|ALTER|DROP|GRANT)/;
/** What names a request, and where it goes. */
const OF_THE_REQUEST = ['query_id', 'database', 'log_comment'];

const recorded: Statement[] = [];

/** Passes everything on to ClickHouse and keeps it. */
function startRecorder(target: URL): Promise<{ url: string; stop: () => void }> {
  const pass = (req: IncomingMessage, res: ServerResponse, body: Buffer): void => {
    const { hostname, port } = target;
    const passed = request({ hostname, port, path: req.url, method: req.method, headers: req.headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const text = Buffer.concat(pieces);
        if (answer.statusCode === 200) keep(new URL(req.url ?? '', target), body, text.toString());
        res.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
      });
    });
    passed.on('error', () => res.destroy());
    passed.end(body);
  };
  const server = createServer((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      pass(req, res, Buffer.concat(pieces));
    });
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const url = new URL(target);
      url.port = String((server.address() as AddressInfo).port);
      const stop = (): void => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: url.href, stop });
    }),
  );
}

function keep(url: URL, body: Buffer, answer: string): void {
  const search = Object.fromEntries([...url.searchParams].filter(([key]) => !OF_THE_REQUEST.includes(key)));
  const text = body.toString();
  const sql = search.query ?? text;
  if (sql === '' || LEFT_OUT.test(sql)) return;
  const sent = Buffer.from(text).equals(body) && !text.includes('\0') ? { text } : { base64: body.toString('base64') };
  const isQuestion = /^\s*(SELECT|WITH)\b/.test(sql);
  const statement = { search, ...sent, ...(isQuestion && { answer: sortedLines(answer) }) };
  // A question that is asked again, and answered alike, says nothing new.
  const last = recorded.findLast(
    (one) => one.answer !== undefined && one.search.query === search.query && one.text === text,
  );
  if (!isQuestion || !isDeepStrictEqual(last, statement)) recorded.push(statement);
}

async function record(service: Service): Promise<EarlierRelease> {
  const key = await service.key(shop);
  const token = await service.key(shop, 'pixel');
  const parts: Statement[][] = [];
  for (const pushes of [BEFORE, AFTER]) {
    for (const { method, path, body, isPixel, rejected = 0 } of pushes) {
      const { status, body: answer } = await service.call(method, path, { key: isPixel === true ? token : key, body });
      if (status >= 300 || (answer.rejected ?? 0) !== rejected) {
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
      }
      await service.settled();
    }
    parts.push(recorded.splice(0));
  }
  const answers: EarlierRelease['answers'] = {};
  for (const path of READS) {
    const { status, body } = await service.call('GET', path, { key });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    answers[path] = body;
  }
  const [before = [], after = []] = parts;
  return { shop, before, after: [...after, ...recorded], answers };
}

const env = await serviceEnvironment();
const recorder = await startRecorder(new URL(env.CLICKHOUSE_URL ?? ''));
try {
  const service = await startService({ base: { ...env, CLICKHOUSE_URL: recorder.url } });
  const release = await record(service).finally(() => service.stop());
  const path = `test/support/earlier-statements/${name}.json`;
  await writeFile(path, await format(JSON.stringify(release), { ...(await resolveConfig(path)), parser: 'json' }));
} finally {
  recorder.stop();
  await stopEngines();
}
