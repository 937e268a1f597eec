import { readFile } from 'node:fs/promises';
import type { Router } from 'express';
import { dbtSources, readDictionary } from '../../warehouse/bi/dictionary.js';
import { readQuestions } from '../../warehouse/bi/questions.js';
import { clickhouseFolder } from '../../paths.js';
import { BI_FILES, BI_STYLE, biPage } from '../pages/bi-page.js';
import { pageHeaders, sendText } from '../middleware/page-headers.js';
import { withoutTrailingSlash } from '../middleware/trailing-slash.js';

/** `GET /bi`: what BI tools find in the warehouse, how they connect, and questions with their SQL. */
export function biRoutes(router: Router): void {
  let page: Promise<string> | undefined;
  const make = async (): Promise<string> =>
    biPage(
      await readDictionary(clickhouseFolder('views/bi')),
      await readQuestions(clickhouseFolder('views/questions')),
    );

  router.get('/bi', withoutTrailingSlash, pageHeaders, async (_req, res) => {
    sendText(res, 'html', await (page ??= make()));
  });

  for (const { name } of BI_FILES) {
    router.get(`/bi/${name}`, pageHeaders, async (_req, res) => {
      const text =
        name === 'sources.yml'
          ? dbtSources(await readDictionary(clickhouseFolder('views/bi')))
          : await readFile(clickhouseFolder(`views/tools/${name}`), 'utf8');
      sendText(res, name.endsWith('json') ? 'json' : 'yaml', text);
    });
  }

  router.get('/bi/style.css', pageHeaders, (_req, res) => {
    sendText(res, 'css', BI_STYLE);
  });
}
