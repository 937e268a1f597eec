import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../src/body/json.js';

const parse = (text: string): unknown => parseJson(Buffer.from(text));

describe('the JSON of a body', () => {
  it('is taken as the runtime reads it, whatever its strings hold', () => {
    const strings = fc.string({
      unit: fc.constantFrom('"', ':', ' ', '\\', ',', '{', '}', 'a', '\n', '€'),
      maxLength: 8,
    });
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        strings,
        fc.double(),
        fc.constantFrom(true, null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(strings, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parse(text)).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('may hold a key once in an object', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '[{"b":[{"a" : 1,"c":2,\n"a"\t:3}]}]',
      '{"a":":","a":1}',
      '{"__proto__":1,"__proto__":2}',
    ]) {
      expect(() => parse(text), text).to.throw(/same key twice/);
    }
    for (const text of [
      '{"a":":","b":" :"}',
      '[{"a":1},{"a":1}]',
      '{"a":{"a":1}}',
      '{"a":"\\":\\":"}',
      '{" : ":" : "}',
    ]) {
      expect(parse(text), text).to.deep.equal(JSON.parse(text));
    }
  });

  it('is UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).to.throw(/UTF-8/);
    expect(() => parse('{"a":}')).to.throw(/not JSON/);
    expect(() => parse('\ufeff{}')).to.throw('The body is not JSON: it begins with a byte order mark.');
  });
});
