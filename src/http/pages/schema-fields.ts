import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';

/** A field of a body, by its path such as `line_items[].unit_price`. */
export interface DocumentedField {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

const DEEPEST = 6;

/** The fields of a schema of the OpenAPI document, one within another flat; `components` are those that it refers to. */
export function fieldsOfSchema(given: unknown, components: Fields): DocumentedField[] {
  const found: DocumentedField[] = [];
  const visit = (schema: unknown, path: string, depth: number, seen: readonly string[]): void => {
    const name = nameOf(schema);
    if (depth > DEEPEST || (name !== undefined && seen.includes(name))) return;
    const { properties, required, items, anyOf } = resolved(schema, components);
    const within = name === undefined ? seen : [...seen, name];
    if (items !== undefined) visit(items, `${path}[]`, depth + 1, within);
    if (Array.isArray(anyOf)) anyOf.forEach((one) => visit(one, path, depth + 1, within));
    for (const [key, property] of Object.entries(fieldsOf(properties))) {
      const own = path === '' ? key : `${path}.${key}`;
      found.push({
        path: own,
        type: typeOf(property, components),
        required: Array.isArray(required) && required.includes(key),
        description: descriptionOf(property, components),
      });
      visit(property, own, depth + 1, within);
    }
  };
  visit(given, '', 0, []);
  return found.filter(({ path }, i) => found.findIndex((one) => one.path === path) === i);
}

function nameOf(schema: unknown): string | undefined {
  const { $ref } = fieldsOf(schema);
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

function resolved(schema: unknown, components: Fields): Fields {
  const name = nameOf(schema);
  return name === undefined ? fieldsOf(schema) : { ...fieldsOf(components[name]), ...fieldsOf(schema) };
}

function descriptionOf(schema: unknown, components: Fields): string {
  const { description, items } = resolved(schema, components);
  if (typeof description === 'string') return description;
  return items === undefined ? '' : descriptionOf(items, components);
}

/** A type in words: its name where it has one, with its values and bounds. */
export function typeOf(schema: unknown, components: Fields): string {
  const { type, items, anyOf, enum: values, ...bounds } = resolved(schema, components);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(one, components)))].join(' or ');
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(' ');
  const name = nameOf(schema);
  const isNamed = name !== undefined && !isFields(resolved(schema, components).properties);
  const kind = isNamed ? name : Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  if (items !== undefined)
    return `list${boundsOf(bounds.minItems, bounds.maxItems, '')} of ${typeOf(items, components)}`;
  if (type === 'string') return kind + (isNamed ? '' : boundsOf(bounds.minLength, bounds.maxLength, ' characters'));
  return kind + boundsOf(bounds.minimum, bounds.maximum, '');
}

function boundsOf(least: unknown, most: unknown, what: string): string {
  if (typeof most === 'number') return ` (${typeof least === 'number' ? `${least}-` : 'at most '}${most}${what})`;
  return '';
}
