import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const WEB = 'src/console/web/';
const filesOf = (ending: RegExp): string[] =>
  readdirSync(WEB, { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .sort();
const read = (name: string): string => readFileSync(WEB + name, 'utf8');

/** Restyles for paper and forced colours what the others have styled; in no layer, so it wins. */
const LAST = 'styles/print.css';
const BASE = /^@import '\.\/(.+)' layer\(base\);$/gm;

/** The selectors of a style sheet, those of conditional groups too, and none of key frames. */
function selectorsOf(name: string): string[] {
  const text = read(name)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/@keyframes [\w-]+ \{[^]*?\n\}/g, '');
  return [...text.matchAll(/([^{};]+)\{/g)]
    .map(([, head = '']) => head.trim())
    .filter((head) => !head.startsWith('@'))
    .flatMap((head) => head.split(/,\s*(?![^(]*\))/));
}

const openerOf = (selector: string): string | undefined => /\.([a-z][\w-]*)/.exec(selector)?.[1];

/** The style sheet in which rules begin with a class. */
function openersOf(): { openers: Map<string, string>; faults: string[] } {
  const base = [...read('style.css').matchAll(BASE)].map(([, name]) => name);
  const openers = new Map<string, string>();
  const faults: string[] = [];
  for (const name of filesOf(/\/.+\.css$/).filter((found) => found !== LAST)) {
    for (const selector of selectorsOf(name)) {
      const opener = openerOf(selector);
      if (opener === undefined) {
        if (!base.includes(name)) faults.push(`${name}: “${selector}” begins with no class, which only elements may`);
        continue;
      }
      const other = openers.get(opener) ?? name;
      if (other !== name) faults.push(`“.${opener}” begins rules of ${other} and of ${name}`);
      openers.set(opener, other);
    }
  }
  return { openers, faults: [...new Set(faults)] };
}

/** The words in `class` attributes of a component. */
function classesOf(name: string): Set<string> {
  const found = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      for (const word of node.text.split(/\s+/)) found.add(word);
    ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxAttribute(node) && node.name.getText() === 'class' && node.initializer) collect(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

describe('a style sheet of the app', () => {
  it('begins its rules with classes that begin those of no other', () => {
    expect(openersOf().faults.join('\n')).to.equal('');
  });

  it('of a page has classes that no other page uses', () => {
    const { openers } = openersOf();
    const faults = filesOf(/\.tsx$/).flatMap((component) =>
      [...classesOf(component)].flatMap((word) => {
        const home = dirname(openers.get(word) ?? '.');
        const isElsewhere = home !== '.' && home !== 'styles' && home !== component.split('/')[0];
        return isElsewhere ? [`${component} uses “${word}” of ${openers.get(word)}`] : [];
      }),
    );
    expect(faults.join('\n')).to.equal('');
  });

  it('is part of the one that pages load, in a layer', () => {
    const imported = [...read('style.css').matchAll(/^@import '\.\/(.+)' layer\((base|shared|page)\);$/gm)];
    const sheets = filesOf(/\/.+\.css$/).filter((name) => name !== LAST);
    expect(imported.map(([, name]) => name).sort()).to.deep.equal(sheets);
    for (const [, name = '', layer] of imported) expect(layer === 'page', name).to.equal(!name.startsWith('styles/'));
  });
});
