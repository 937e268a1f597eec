import type { TSchema } from 'typebox';

/**
 * A batch envelope as the document shows it. The validator of the envelope takes any items, so that each gets a result of
 * its own; the document says what an item is. Everything else stays that of the validating schema.
 */
export function withItems(envelope: TSchema, items: Readonly<Record<string, TSchema>>): TSchema {
  const { properties = {}, ...rest } = envelope as TSchema & { properties?: Record<string, object> };
  const shown = Object.entries(properties).map(([name, schema]) => {
    const item = items[name];
    return [name, item === undefined ? schema : { ...schema, items: item }];
  });
  return { ...rest, properties: Object.fromEntries(shown) as Record<string, object> };
}
