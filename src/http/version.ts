import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '../domain/fields.js';
import { projectRoot } from '../paths.js';

/** Version of the service, that of `package.json`: health, the OpenAPI document and backups give it. */
export const VERSION = String(fieldsOf(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'))).version);
