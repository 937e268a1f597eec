/** An object of JSON that is no list. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_FIELDS: Fields = {};

/** The fields of any JSON value; none of what is no such object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS;
}
