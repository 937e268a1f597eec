import { expect } from 'chai';
import { prettyOutput } from '../../src/http/pages/pretty-output.js';

describe('an output in the documentation', () => {
  it('has a line for each field, and keeps what is in texts', () => {
    expect(prettyOutput('{"a":"1, {2}",…"b":[{"c":null}],"d":{…},"e":[]}')).to.equal(
      [
        '{',
        '  "a": "1, {2}",',
        '  …',
        '  "b": [',
        '    {',
        '      "c": null',
        '    }',
        '  ],',
        '  "d": {…},',
        '  "e": []',
        '}',
      ].join('\n'),
    );
  });

  it('stays as it is where it is no JSON, or is not whole', () => {
    for (const text of ['…accepted            3…', '{…"a":1}}', '{"a":[1}', 'Read as an export of Meta:\n{"a":1}'])
      expect(prettyOutput(text)).to.equal(text);
  });
});
