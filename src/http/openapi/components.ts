import { isDeepStrictEqual } from 'node:util';
import { compare } from '../../domain/compare.js';
import { isStandardFormat } from '../../schemas/formats.js';

type Json = Record<string, unknown>;

/** Collects the schemas of a document. */
export interface Components {
  /** A schema as it is in the document: every schema with a title becomes a reference to its component. */
  show(schema: object): Json;
  /** The components collected so far, by name. */
  schemas(): Record<string, Json>;
}

/**
 * The components of `first` are in the document unchanged; a later schema with such a title may differ from it in its
 * description, default and examples alone, which are then next to the reference.
 */
export function createComponents(first: readonly object[] = []): Components {
  const known = new Map<string, Json>();

  const show = (schema: object): Json => {
    const { title } = schema as { title?: unknown };
    if (typeof title !== 'string') return convert(schema);
    const shown = convert(schema);
    const component = known.get(title) ?? shown;
    known.set(title, component);
    const $ref = `#/components/schemas/${title}`;
    if (isDeepStrictEqual(component, shown)) return { $ref };
    if (isDeepStrictEqual(plain(component), plain(shown))) return { $ref, ...annotations(shown, component) };
    throw new Error(`two different schemas are called ${title}`);
  };

  const convert = (schema: object): Json => {
    const result: Json = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'x-size-code' || key === 'x-code' || key === 'default')
        continue; // of use to the validator alone, and said in the description
      else if (key === 'format' && !isStandardFormat(String(value)))
        continue; // `x-shown` says what a reader can know of it
      else if (key === 'x-shown') Object.assign(result, value);
      else if (key === 'properties') result[key] = mapValues(value as Record<string, object>, show);
      else if (key === 'items' || key === 'additionalProperties' || key === 'not') {
        result[key] = typeof value === 'object' && value !== null ? show(value as object) : (value as unknown);
      } else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') result[key] = (value as object[]).map(show);
      else result[key] = value as unknown;
    }
    const { default: fallback } = schema as { default?: unknown };
    if (fallback !== undefined) {
      // As a keyword it makes the field a required one in generated clients.
      const own = typeof result.description === 'string' ? `${result.description} ` : '';
      result.description = `${own}Absent: \`${JSON.stringify(fallback)}\`.`;
    }
    const values = result.enum;
    if (result.type === undefined && Array.isArray(values) && values.every((value) => typeof value === 'string')) {
      result.type = 'string';
    }
    return result;
  };

  for (const schema of first) show(schema);
  return {
    show,
    schemas: () => Object.fromEntries([...known].sort(([a], [b]) => compare(a, b))),
  };
}

function plain({ description: _description, examples: _examples, ...rest }: Json): Json {
  return rest;
}

function annotations({ description, examples }: Json, component: Json): Json {
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && !isDeepStrictEqual(examples, component.examples) && { examples }),
  };
}

function mapValues(values: Record<string, object>, change: (value: object) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
