/** The part of a schema by which texts are planted. */
export interface PlantedSchema {
  type?: string | string[];
  properties?: Record<string, PlantedSchema>;
  items?: PlantedSchema;
}

/** A valid value with one text of it replaced, once for every field of the schema on every level; and with unknown names. */
export function planted(schema: PlantedSchema, base: unknown, text: string): unknown[] {
  return [...replaced(schema, base, text)];
}

function* replaced(schema: PlantedSchema, base: unknown, text: string): Generator {
  yield text;
  if (schema.items !== undefined) {
    const [first] = Array.isArray(base) ? (base as unknown[]) : [];
    for (const item of replaced(schema.items, first, text)) yield [item];
  }
  if (schema.properties === undefined) return;
  const fields = typeof base === 'object' && base !== null ? base : {};
  yield { ...fields, [text]: 1 };
  yield { ...fields, note: text };
  yield { ...fields, note: { [text]: [text] } };
  for (const [name, property] of Object.entries(schema.properties)) {
    const own = (fields as Record<string, unknown>)[name];
    for (const value of replaced(property, own, text)) yield { ...fields, [name]: value };
  }
}
