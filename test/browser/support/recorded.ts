import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { BrowserContextOptions } from 'playwright-core';
import { assetRoutes } from '../../../src/console/server/assets.js';
import { pageRoutes } from '../../../src/console/server/pages.js';
import type { Sessions } from '../../../src/console/server/session.js';
import { fetchApp } from '../../console/answers.js';
import { OPERATOR_ENV, signInAsOperator, type Operator } from '../../console/support.js';
import { listening, type Listening } from '../../support/listening.js';
import { startService, type Service } from '../../support/service.js';
import { openAppPage, type AppPage } from './app.js';
import { TIMELESS } from './quiet.js';
import { MOMENT, SHOPS, settingsOf, type ShopName } from './recorded-shops.js';

interface Recorded {
  status: number;
  type: string;
  text: string;
}

const OF_A_SHOP = /^\/app\/api\/shops\/[^/]+\/./;

/** The routes of the pages ask only whether somebody is signed in. */
const SIGNED_IN = { find: () => Promise.resolve({}) } as unknown as Sessions;

interface RecordedOptions extends BrowserContextOptions {
  /** The moment of the page where it isn't that of the records. */
  at?: string;
  /** The page refreshes nothing by itself, and no pause in typing is long enough. */
  timeless?: boolean;
}

interface RecordedApp {
  /** A page of a shop, such as `/orders`. The operator has signed in, and the clock of the page doesn't move. */
  open: (shop: ShopName, path: string, options?: RecordedOptions) => Promise<AppPage>;
  /** What the API answers for a shop, as its pages get it. */
  read: (shop: ShopName, path: string) => Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- of any endpoint
  /** The id of a shop. */
  idOf: (shop: ShopName) => Promise<string>;
  /** The address of a page. */
  url: (shop: ShopName, path: string) => Promise<string>;
}

/**
 * Pages that only show figures, for the tests of the enclosing suite. A real service is asked each thing once, its answer is held to
 * what its route declares, and the pages of all tests get that: records from the sources that are tested, which can't grow old.
 * Where a page changes something, `useApp` has a service that answers each time.
 */
export function useRecorded(): RecordedApp {
  let service: Service;
  let operator: Operator;
  let site: Listening;
  let answers: Map<string, Promise<Recorded>>;
  let shops: Map<ShopName, Promise<string>>;
  const opened: AppPage[] = [];

  const record = async (path: string, accept: string): Promise<Recorded> => {
    const answer = await fetchApp(service.url + path, { headers: { Accept: accept, Cookie: operator.cookie } });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  const answerOf = (path: string, accept: string): Promise<Recorded> => {
    const key = `${accept} ${path}`;
    const answer = answers.get(key) ?? record(path, accept);
    // Lists of shops grow with the next that a test opens.
    if (OF_A_SHOP.test(path)) answers.set(key, answer);
    return answer;
  };
  const idOf = (name: ShopName): Promise<string> => {
    const make = async (): Promise<string> => {
      const shop = await service.shop(settingsOf(name));
      await SHOPS[name](shop);
      await service.settled();
      return shop.id;
    };
    const id = shops.get(name) ?? make();
    shops.set(name, id);
    return id;
  };
  const url = async (name: ShopName, path: string): Promise<string> => `${site.url}/shop/${await idOf(name)}${path}`;

  before(async () => {
    service = await startService({ env: OPERATOR_ENV });
    operator = await signInAsOperator(service);
    [answers, shops] = [new Map(), new Map()];
    const app = express();
    pageRoutes(app, SIGNED_IN);
    assetRoutes(app);
    app.get('/favicon.ico', (_req: Request, res: Response) => void res.status(204).end());
    app.get('/app/api/*rest', async (req: Request, res: Response) => {
      const { status, type, text } = await answerOf(req.originalUrl, req.headers.accept ?? '*/*');
      res.status(status).set('Content-Type', type).end(text);
    });
    // The only thing that looking at a page writes: the operator, who is no person, has no visits.
    app.post('/app/api/shops/:shop/visit', (_req: Request, res: Response) => void res.status(204).end());
    site = await listening(createServer(app));
  });
  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
  });
  after(async () => {
    await site.stop();
    // What the last page asked for before it was closed.
    await Promise.allSettled(answers.values());
    await service.stop();
  });
  return {
    idOf,
    url,
    async open(shop, path, { at = MOMENT, timeless = false, ...options } = {}) {
      const app = await openAppPage(options);
      opened.push(app);
      await app.page.clock.setFixedTime(new Date(at));
      if (timeless) await app.page.addInitScript({ content: TIMELESS });
      await app.page.goto(await url(shop, path));
      return app;
    },
    async read(shop, path) {
      const { text } = await answerOf(`/app/api/shops/${await idOf(shop)}${path}`, '*/*');
      return JSON.parse(text) as unknown;
    },
  };
}
