import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { fieldsOfSchema, typeOf } from './schema-fields.js';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const JSON_TYPE = 'application/json';

interface DocumentedOperation {
  name: string;
  tag: string;
  fields: Fields;
}

/** A page of the reference, in Markdown; `path` is its address without its first slash. */
export interface ReferencePage {
  path: string;
  markdown: string;
}

/** The reference by resource and, first, what is common to all of them: all of it from the OpenAPI document. */
export function referencePages(document: unknown): ReferencePage[] {
  const { info, components, paths } = fieldsOf(document);
  const schemas = fieldsOf(fieldsOf(components).schemas);
  const operations = Object.entries(fieldsOf(paths)).flatMap(([path, methods]) =>
    METHODS.flatMap((method): DocumentedOperation[] => {
      const fields = fieldsOf(methods)[method];
      if (!isFields(fields)) return [];
      return [{ name: `${method.toUpperCase()} ${path}`, tag: textOf(listIn(fields.tags)[0]), fields }];
    }),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const overview = tags.flatMap((tag) =>
    operations
      .filter((one) => one.tag === tag)
      .map(
        ({ name, fields }) =>
          `| [${tag}](${addressOf(tag)}) | [${name}](${addressOf(tag)}#${anchorOf(name)}) | ${textOf(fields.summary)} |`,
      ),
  );
  const common = `# All requests and errors

Every request of the API by resource, and what all of them have in common. [openapi.json](/openapi.json) says the same to programs.

| Resource | Request | Does |
|---|---|---|
${overview.join('\n')}

${textOf(fieldsOf(info).description)}`;
  return [
    { path: 'docs/reference', markdown: common },
    ...tags.map((tag) => ({
      path: addressOf(tag).slice(1),
      markdown: resourcePage(
        tag,
        operations.filter((one) => one.tag === tag),
        schemas,
      ),
    })),
  ];
}

const addressOf = (tag: string): string => `/docs/reference/${tag.toLowerCase()}`;
const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Within a cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n+\s*/g, ' ');

function resourcePage(tag: string, operations: readonly DocumentedOperation[], schemas: Fields): string {
  const parts = operations.map((one) => operationPart(one, schemas));
  const list = operations.map(({ name, fields }) => `- [${name}](#${anchorOf(name)}): ${textOf(fields.summary)}`);
  return `# ${tag}

Requests of the resource ${tag}. What all requests have in common, and every error code, is in the [reference](/docs/reference).

${list.join('\n')}

${parts.join('\n\n')}
`;
}

function operationPart({ name, fields }: DocumentedOperation, schemas: Fields): string {
  const body = fieldsOf(fieldsOf(fieldsOf(fields.requestBody).content)[JSON_TYPE]);
  const answers = Object.entries(fieldsOf(fields.responses)).map(([status, one]) => ({ status, ...fieldsOf(one) }));
  const parts = [
    `## ${name}`,
    `${textOf(fields.summary)}. ${keyOf(fields.security)}`,
    // The codes of items, which it ends with, are links below.
    textOf(fields.description).split('\n\n**Codes of rejected items**', 1)[0] ?? '',
    parametersOf(fields.parameters, schemas),
    fieldTable('Body', body.schema, schemas, textOf(fieldsOf(fields.requestBody).description)),
    ...answers.filter(({ status }) => status.startsWith('2')).map((answer) => answerPart(answer, schemas)),
    itemCodesOf(fields['x-item-error-codes']),
    failuresOf(answers),
    ...examplesOf(body, answers),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function keyOf(security: unknown): string {
  const [first] = listIn(security);
  if (!isFields(first)) return 'Needs no key.';
  if ('pixelToken' in first) return 'Needs a pixel token.';
  const [scope] = listIn(first.apiKey);
  return scope === undefined ? 'Needs a secret key.' : `Needs a key with the scope \`${textOf(scope)}\`.`;
}

function parametersOf(parameters: unknown, schemas: Fields): string {
  const rows = listIn(parameters).map((one) => {
    const { name, in: place, description, schema, required } = fieldsOf(one);
    const where = `${textOf(place)}${required === true ? ', required' : ''}`;
    return `| \`${textOf(name)}\` | ${cell(typeOf(schema, schemas))} | ${where} | ${cell(textOf(description))} |`;
  });
  return rows.length === 0 ? '' : ['| Parameter | Type | In | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function fieldTable(title: string, schema: unknown, schemas: Fields, note: string): string {
  if (schema === undefined) return '';
  const rows = fieldsOfSchema(schema, schemas).map(
    ({ path, type, required, description }) =>
      `| \`${path}\`${required ? ' \\*' : ''} | ${cell(type)} | ${cell(description)} |`,
  );
  const table = rows.length === 0 ? [] : ['', `| ${title} (\\* required) | Type | Meaning |`, '|---|---|---|', ...rows];
  return [`**${title}.** ${note}`, ...table].join('\n');
}

function answerPart(answer: Fields & { status: string }, schemas: Fields): string {
  const content = fieldsOf(answer.content);
  const others = Object.keys(content).filter((type) => type !== JSON_TYPE);
  const files = others.length === 0 ? '' : ` Also as ${others.map((type) => `\`${type}\``).join(' and ')}.`;
  const { schema } = fieldsOf(content[JSON_TYPE]);
  const note = textOf(answer.description) + files;
  return schema === undefined
    ? `**Answer ${answer.status}.** ${note}`
    : fieldTable(`Answer ${answer.status}`, schema, schemas, note);
}

const linkTo = (code: string): string => `[${code}](/docs/reference#${code})`;

function itemCodesOf(codes: unknown): string {
  const links = listIn(codes).map((code) => linkTo(textOf(code)));
  return links.length === 0 ? '' : `**Codes of rejected items.** ${links.join(', ')}.`;
}

/** The codes of failures by status; each leads to its line in the common part. */
function failuresOf(answers: readonly (Fields & { status: string })[]): string {
  const lines = answers
    .filter(({ status }) => !status.startsWith('2') && status !== '304')
    .map(({ status, description }) => {
      const codes = [...textOf(description).matchAll(/`([a-z_]+)`: /g)].map(([, code = '']) => code);
      return `${status} ${codes.map(linkTo).join(', ')}`;
    });
  return lines.length === 0 ? '' : `**Errors.** ${lines.join('; ')}.`;
}

function examplesOf(body: Fields, answers: readonly (Fields & { status: string })[]): string[] {
  const asked = fieldsOf(body.examples);
  const answered = answers.flatMap(({ status, content }) =>
    Object.values(fieldsOf(content)).flatMap((one) =>
      Object.entries(fieldsOf(fieldsOf(one).examples)).map(([name, example]) => ({
        status,
        name,
        ...fieldsOf(example),
      })),
    ),
  );
  return answered.map(({ status, name, summary, value }: Fields & { status: string; name: string }) => {
    const request = fieldsOf(asked[name]).value;
    const shown = typeof value === 'string' ? `\`\`\`text\n${value}\n\`\`\`` : jsonBlock(value);
    const sent = request === undefined ? '' : `\n\n${jsonBlock(request)}\n\nis answered with ${status}:`;
    return `**Example: ${textOf(summary)}**${sent || ` (${status})`}\n\n${shown}`;
  });
}

const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
