import { compileFunction } from 'node:vm';
import luaparse, { type Chunk, type Expression, type Statement } from 'luaparse';
import type { LuaLibrary } from './lua-library.js';
import { LuaTable, luaText, type LuaValue } from './lua-table.js';

/** Runs a script with what {@link luaLibrary} offers; gives what Redis would answer. */
export type LuaScript = (library: LuaLibrary, keys: readonly string[], args: readonly string[]) => unknown;

type Compiled = (rt: unknown, library: LuaLibrary, keys: LuaTable, args: LuaTable) => LuaValue[];

/**
 * Lua as Redis runs it, as much of it as the scripts of the service use: they are translated into JavaScript once. What is not known
 * here is refused. No kept interpreter runs Lua 5.1: fengari counts in 32 bits (2000000000 + 2000000000 is -294967296 there), and
 * wasmoon is Lua 5.4 (10 / 2 is written `5.0`), so stamps and counters would differ from those of Redis.
 */
export function compileLua(text: string): LuaScript {
  const chunk: Chunk = luaparse.parse(text, { luaVersion: '5.1', encodingMode: 'pseudo-latin1', comments: false });
  const code = `'use strict';${block(chunk.body, new Scope(new Set()))} return [];`;
  const run = compileFunction(code, ['rt', 'library', 'KEYS', 'ARGV']) as unknown as Compiled;
  return (library, keys, args) => {
    const [answer] = run(runtime, library, LuaTable.of(keys), LuaTable.of(args));
    return toReply(answer);
  };
}

/** Numbers lose their fraction, a list ends before its first nil, false is none. */
function toReply(value: LuaValue): unknown {
  if (value === undefined || value === false || value === null) return null;
  if (value === true) return 1;
  if (typeof value === 'number') return Math.trunc(value);
  if (!(value instanceof LuaTable)) return value;
  const end = value.list.indexOf(undefined);
  return (end === -1 ? value.list : value.list.slice(0, end)).map(toReply);
}

const truthy = (value: LuaValue): boolean => value !== undefined && value !== false;

const runtime = {
  truthy,
  LuaTable,
  and: (left: LuaValue, right: () => LuaValue) => (truthy(left) ? right() : left),
  or: (left: LuaValue, right: () => LuaValue) => (truthy(left) ? left : right()),
  text: (value: LuaValue): string => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error('attempt to concatenate what is no text');
    return luaText(value);
  },
  number: (value: LuaValue): number => {
    const parsed = typeof value === 'string' && value !== '' ? Number(value) : value;
    if (typeof parsed !== 'number' || Number.isNaN(parsed)) throw new Error('attempt to reckon with what is no number');
    return parsed;
  },
  less: (a: LuaValue, b: LuaValue): boolean => {
    if (typeof a !== typeof b) throw new Error('attempt to compare two things of different types');
    return (a as number) < (b as number);
  },
  length: (value: LuaValue): number => (value instanceof LuaTable ? value.list.length : String(value).length),
  index: (base: LuaValue, key: LuaValue): LuaValue => {
    if (base instanceof LuaTable) return base.get(key);
    if (base === undefined) throw new Error(`attempt to index nil with ${luaText(key)}`);
    return (base as Record<string, unknown>)[String(key)];
  },
  assign: (base: LuaValue, key: LuaValue, value: LuaValue): void => {
    if (!(base instanceof LuaTable)) throw new Error('attempt to index what is no table');
    base.set(key, value);
  },
};

/** Which names are local where. */
class Scope {
  constructor(
    private readonly names: Set<string>,
    private readonly outer?: Scope,
  ) {}

  inner(): Scope {
    return new Scope(new Set(), this);
  }

  /** Gives the word that declares it, or none where this block has it already. */
  declare(name: string): string {
    if (this.names.has(name)) return '';
    this.names.add(name);
    return 'let ';
  }

  knows(name: string): boolean {
    return this.names.has(name) || this.outer?.knows(name) === true;
  }
}

function unknown(what: { type: string }): never {
  throw new Error(`a piece of Lua that nobody has translated: ${what.type}`);
}

const block = (body: readonly Statement[], scope: Scope): string => body.map((one) => statement(one, scope)).join('\n');

function statement(node: Statement, scope: Scope): string {
  switch (node.type) {
    case 'LocalStatement': {
      const values = list(node.init, scope);
      const names = node.variables.map(({ name }) => [scope.declare(name), `$${name}`] as const);
      const [only] = names;
      if (names.length === 1 && only !== undefined) return `${only.join('')} = ${values}[0];`;
      return `${names.map(([word, name]) => (word === '' ? '' : `${word}${name};`)).join('')}[${names.map(([, name]) => name).join()}] = ${values};`;
    }
    case 'AssignmentStatement': {
      const targets = node.variables.map((target, i) => {
        const value = `values[${i}]`;
        if (target.type === 'Identifier') return `$${target.name} = ${value};`;
        if (target.type === 'IndexExpression')
          return `rt.assign(${expression(target.base, scope)}, ${expression(target.index, scope)}, ${value});`;
        return unknown(target);
      });
      return `{ const values = ${list(node.init, scope)}; ${targets.join('')} }`;
    }
    case 'CallStatement':
      return `${expressions(node.expression, scope)};`;
    case 'FunctionDeclaration':
      if (node.identifier?.type !== 'Identifier') return unknown(node);
      return `${scope.declare(node.identifier.name)}$${node.identifier.name} = ${expression(node, scope)};`;
    case 'IfStatement':
      return node.clauses
        .map((clause) =>
          clause.type === 'ElseClause'
            ? `{ ${block(clause.body, scope.inner())} }`
            : `if (rt.truthy(${expression(clause.condition, scope)})) { ${block(clause.body, scope.inner())} }`,
        )
        .join(' else ');
    case 'WhileStatement':
      return `while (rt.truthy(${expression(node.condition, scope)})) { ${block(node.body, scope.inner())} }`;
    case 'ForNumericStatement': {
      const inner = scope.inner();
      const name = `$${node.variable.name}`;
      const step = node.step === null ? '1' : expression(node.step, scope);
      const head = `const end = ${expression(node.end, scope)}, step = ${step};`;
      inner.declare(node.variable.name);
      const from = expression(node.start, scope);
      return `{ ${head} for (let i = ${from}; step > 0 ? i <= end : i >= end; i += step) { let ${name} = i; ${block(node.body, inner)} } }`;
    }
    case 'ForGenericStatement': {
      const inner = scope.inner();
      const names = node.variables.map(({ name }) => `${inner.declare(name)}$${name}`);
      const [iterator] = node.iterators;
      if (iterator === undefined) return unknown(node);
      const lets = names.map((name, i) => `${name} = entry[${i}];`).join('');
      return `for (const entry of ${expression(iterator, scope)}) { ${lets} ${block(node.body, inner)} }`;
    }
    case 'ReturnStatement':
      return `return ${list(node.arguments, scope)};`;
    case 'BreakStatement':
      return 'break;';
    default:
      return unknown(node);
  }
}

/** Values as a JavaScript list; the last one brings all of its own. */
function list(nodes: readonly Expression[], scope: Scope): string {
  const last = nodes.at(-1);
  const values = nodes.slice(0, -1).map((node) => expression(node, scope));
  if (last !== undefined)
    values.push(last.type === 'CallExpression' ? `...${expressions(last, scope)}` : expression(last, scope));
  return `[${values.join(', ')}]`;
}

/** All values of an expression, as a list. */
function expressions(node: Expression, scope: Scope): string {
  if (node.type !== 'CallExpression') return `[${expression(node, scope)}]`;
  return `(${expression(node.base, scope)})(...${list(node.arguments, scope)})`;
}

const ARITHMETIC = new Set(['+', '-', '*', '/', '^']);

function expression(node: Expression, scope: Scope): string {
  switch (node.type) {
    case 'StringLiteral':
      return JSON.stringify(node.value);
    case 'NumericLiteral':
      return String(node.value);
    case 'BooleanLiteral':
      return String(node.value);
    case 'NilLiteral':
      return 'undefined';
    case 'Identifier':
      if (scope.knows(node.name)) return `$${node.name}`;
      return node.name === 'KEYS' || node.name === 'ARGV' ? node.name : `rt.index(library, '${node.name}')`;
    case 'CallExpression':
      return `${expressions(node, scope)}[0]`;
    case 'MemberExpression':
      return `rt.index(${expression(node.base, scope)}, '${node.identifier.name}')`;
    case 'IndexExpression':
      return `rt.index(${expression(node.base, scope)}, ${expression(node.index, scope)})`;
    case 'UnaryExpression': {
      const value = expression(node.argument, scope);
      if (node.operator === 'not') return `!rt.truthy(${value})`;
      return node.operator === '#' ? `rt.length(${value})` : `-rt.number(${value})`;
    }
    case 'LogicalExpression':
      return `rt.${node.operator}(${expression(node.left, scope)}, () => ${expression(node.right, scope)})`;
    case 'BinaryExpression':
      return binary(node.operator, expression(node.left, scope), expression(node.right, scope));
    case 'TableConstructorExpression': {
      const values = node.fields.map((field) => (field.type === 'TableValue' ? field.value : unknown(field)));
      return `rt.LuaTable.of(${list(values, scope)})`;
    }
    case 'FunctionDeclaration': {
      const inner = scope.inner();
      const names = node.parameters.map((one) => (one.type === 'Identifier' ? one.name : unknown(one)));
      for (const name of names) inner.declare(name);
      return `((${names.map((name) => `$${name}`).join(', ')}) => { ${block(node.body, inner)} return []; })`;
    }
    default:
      return unknown(node);
  }
}

function binary(operator: string, left: string, right: string): string {
  if (ARITHMETIC.has(operator)) {
    return `(rt.number(${left}) ${operator === '^' ? '**' : operator} rt.number(${right}))`;
  }
  switch (operator) {
    case '..':
      return `(rt.text(${left}) + rt.text(${right}))`;
    case '==':
      return `(${left} === ${right})`;
    case '~=':
      return `(${left} !== ${right})`;
    case '<':
      return `rt.less(${left}, ${right})`;
    case '>':
      return `rt.less(${right}, ${left})`;
    case '<=':
      return `!rt.less(${right}, ${left})`;
    case '>=':
      return `!rt.less(${left}, ${right})`;
    default:
      throw new Error(`an operator that nobody has translated: ${operator}`);
  }
}
