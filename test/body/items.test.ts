import { expect } from 'chai';
import fc from 'fast-check';
import { RequestError } from '../../src/errors.js';
import { openItems } from '../../src/body/items.js';
import { knownNames } from '../../src/body/json-scan.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';

const FORM = { list: 'rows', most: 5, isKnown: knownNames(['a', 'b', 'rows']) };

/** The body as the items and the rest give it back; the code of the error where it is refused. */
async function read(text: string): Promise<unknown> {
  try {
    const { value, items } = await openItems(Buffer.from(text), FORM, NEVER_YIELDS);
    const all = Array.from(items, (item) => item.faults ?? item.value);
    if (all.length === 0) return value;
    return { ...(value as object), rows: all };
  } catch (error) {
    return error instanceof RequestError ? error.errors[0].code : error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return 'invalid_json';
  }
}

/** The items whole, and of what stands beside them the type: a long value is not parsed there. */
const told = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body as object).map(([name, value]: [string, unknown]) => {
          const kind = Array.isArray(value) ? 'array' : typeof value;
          return [name, name === 'rows' && kind === 'array' ? value : kind];
        }),
      )
    : body;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('the items of a body', () => {
  const json = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('a', 'b', '"', '\\', '[', '}', ',', ':', '€') });
  const body = fc.record(
    { rows: fc.oneof(fc.array(json, { maxLength: 5 }), json), x: json, a: json },
    { requiredKeys: [] },
  );

  it('are those that the runtime finds, however the body is written', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(undefined, 1, '\t'), async (value, space) => {
        fc.pre(!Array.isArray(value.rows) || value.rows.length <= 5);
        const text = JSON.stringify(value, null, space);
        expect(told(await read(` ${text}\n`))).to.deep.equal(told(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('are refused where one character makes the body no JSON, and taken nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', '"', '[', '{', ':', '1', ' '),
        async (value, at, char) => {
          const whole = JSON.stringify(value);
          const text = whole.slice(0, at % whole.length) + char + whole.slice((at % whole.length) + 1);
          const expected = parsed(text);
          const found = await read(text);
          // A long body that is no object is refused for its type, unread.
          if (!text.startsWith('{')) expect(found === 'invalid_json' || !isObject(found), text).to.equal(true);
          // Of a body that is refused for another reason, such as a key that stands twice, nothing is compared.
          else if (expected === 'invalid_json') expect(found, text).to.be.oneOf(['invalid_json', 'batch_size']);
          else if (typeof found === 'object') expect(told(found), text).to.deep.equal(told(expected));
          else expect(found, text).to.be.oneOf(['invalid_json', 'batch_size', expected]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('may hold a key once in an object', async () => {
    for (const text of ['{"rows":[],"rows":[]}', '{"rows":[{"a":1,"a":2}]}', '{"rows":[{"a":1,"\\u0061":2}]}']) {
      expect(await read(text), text).to.equal('invalid_json');
    }
  });

  it('are found where the name of their list is written with escapes', async () => {
    const { items } = await openItems(Buffer.from('{"r\\u006fws":[{"a":1},2]}'), FORM, NEVER_YIELDS);
    expect(Array.from(items, ({ value }) => value)).to.deep.equal([{ a: 1 }, 2]);
    expect(await read('{"rows":[1],"r\\u006fws":[2]}')).to.equal('invalid_json');
    expect(await read('{"r\\xows":[1]}')).to.equal('invalid_json');
  });

  it('are counted before they are parsed', async () => {
    expect(await read('{"rows":[1,2,3,4,5,6]}')).to.equal('batch_size');
    const nested = await read(`{"rows":[${'['.repeat(50)}${']'.repeat(50)}]}`);
    expect(nested).to.have.nested.property('rows[0][0].code', 'too_many');
    const many = Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join(',');
    const { rows } = (await read(`{"rows":[{${many}},{"a":1}]}`)) as { rows: { code: string; message: string }[][] };
    expect(rows[0]?.map(({ code }) => code)).to.deep.equal([...Array<string>(10).fill('unknown_field'), 'too_many']);
    expect(rows[0]?.at(-1)?.message).to.match(/5000 unknown fields/);
    expect(rows[1]).to.deep.equal({ a: 1 });
  });

  it('are those that the runtime finds where a piece of the scan ends within a text, an escape or a number', async () => {
    for (let shift = 0; shift < 40; shift++) {
      const long = 'x'.repeat(32 * 1024 - 30 + shift);
      const text = JSON.stringify({ rows: [`${long}\\"\\\n`, { a: '\\', b: 12_345.5e10 }, [[]], 'a'], a: '"' });
      expect(await read(text), String(shift)).to.deep.equal(JSON.parse(text));
    }
  });

  it('may be beside long values of unknown fields, which are not parsed', async () => {
    const text = `{"x":[${'{},'.repeat(5_000)}{}],"rows":[{"a":1}]}`;
    expect(await read(text)).to.deep.equal({ x: [], rows: [{ a: 1 }] });
    const [name] = Object.keys((await read(`{"${'x'.repeat(5_000)}":1}`)) as object);
    expect(name?.length).to.equal(101);
  });

  it('of a body that another language wrote are refused with what is wrong in it', async () => {
    for (const text of [
      "{'rows': []}",
      '{rows: []}',
      '{/* none */ "rows": []}',
      '{"a": 1, \'rows\': []}',
      '{, "rows": []}',
    ]) {
      let message = '';
      await openItems(Buffer.from(text), FORM, NEVER_YIELDS).catch((error: unknown) => (message = String(error)));
      expect(message, text).to.contain('The body is not JSON: a field must begin with its name in double quotes.');
    }
  });
});
