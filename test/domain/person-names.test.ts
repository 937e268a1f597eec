import { expect } from 'chai';
import { looksLike, nameFault } from '../../src/domain/person-names.js';

describe('the name of a person', () => {
  it('is taken in any one script, with what stands in names', () => {
    const names = [
      'Cleo 4711 12',
      'María del Carmen López García',
      'Jean-Luc',
      "Siân O'Neill",
      'D’Arcy',
      'J. R. Müller',
      '김민준 Kim',
    ];
    const others = [
      'Дарья Иванова',
      'Ελένη',
      '田中さくら',
      'タナカ Tanaka',
      '王小明',
      'سارة',
      'राहुल',
      'สมชาย',
      'Nguyễn Văn An',
      'Zoé',
    ];
    expect(
      [...names, ...others].map((name) => [name, nameFault(name)]).filter(([, fault]) => fault !== null),
    ).to.deep.equal([]);
  });

  it('is what it looks like', () => {
    const wrong: Record<string, string[]> = {
      'holder of the admin token': [
        'operator',
        'OPERATOR',
        '0perator',
        'The Operator',
        'Operator signed in',
        '𝐎perator',
      ],
      'one script': ['Operаtor', 'Оperator', 'Clеo', 'Cleο', 'Διana'],
      'none that is not seen': [
        'Opera\u200btor',
        'Opera\u00adtor',
        'Cleo\u2060',
        'a\u202eoelC',
        'Cleo\n2026 removed Dora',
        'Cleo\u2028',
        'Cleo\u3164',
        'Cleo\u{e0061}',
        'C\u034fleo',
        'Cleo removed Dora, and',
        'Cleo: all',
        'Cleo (owner)',
        '“Cleo”',
        'Cleo\tx',
        '=1+1',
        '🙂',
      ],
      '5 words': ['Cleo removed Dora and all others'],
      'e-mail address': ['cleo@example.com'],
      '1 to 64': ['', '  ', 'a'.repeat(65)],
    };
    for (const [why, names] of Object.entries(wrong))
      for (const name of names) expect(nameFault(name), JSON.stringify(name)).to.be.a('string').that.contains(why);
  });

  it('can’t be taken for that of another', () => {
    const pairs = [
      ['Cleo', 'cleo'],
      ['Cleo', 'CIeo'],
      ['Ivan', 'lvan'],
      ['Anna', 'ANNA'],
      ['Ора', 'Opa'],
      ['Emma', 'Ernma'],
      ['Cleo 10', 'Cleo 1O'],
      ['Zoé', 'Zoe\u0301'],
    ] as const;
    for (const [a, b] of pairs) expect(looksLike(a, b), `${a} ${b}`).to.equal(true);
    for (const [a, b] of [
      ['Cleo', 'Clea'],
      ['Ivan', 'Iwan'],
      ['Cleo 10', 'Cleo 11'],
      ['Дарья', 'Darya'],
    ] as const)
      expect(looksLike(a, b), `${a} ${b}`).to.equal(false);
  });
});
