import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { closed } from './primitives.js';
import { validator, type Validator } from './validator.js';

/** The body of a push: a list of items in an envelope. */
export interface Batch<Item, Envelope = unknown> {
  /** The field of the body that holds the items, and how many it may hold. */
  list: string;
  most: number;
  /** Bytes of a body, inflated. */
  maxBytes: number;
  /** The body as the document shows it, and one item. */
  schema: TSchema;
  itemSchema: TSchema;
  /** Takes any items: each is checked by itself, so that it gets a result of its own. */
  envelope: Validator<Envelope>;
  item: Validator<Item>;
}

interface BatchOptions<Others> {
  most: number;
  maxBytes: number;
  /** What the items are called in the description of the list, and one of them in messages. */
  names: readonly [many: string, one: string];
  /** Fields before the list. */
  others: Others;
  /** An item as the document shows it, where it says more than the validator checks. */
  shown?: TSchema;
}

export function batchOf<Item extends TSchema, Others extends TProperties>(
  list: string,
  item: Item,
  { most, maxBytes, names: [many, one], others, shown = item }: BatchOptions<Others>,
): Batch<Static<Item>, Static<TObject<Others>>> {
  const description = `The ${many}, 1 to ${most.toLocaleString('en')}.`;
  const envelopeOf = (entry: TSchema) =>
    Type.Object(
      {
        ...others,
        [list]: Type.Array(entry, { minItems: 1, maxItems: most, 'x-size-code': 'batch_size', description }),
      },
      closed,
    );
  const { properties, ...envelope } = envelopeOf(shown);
  return {
    list,
    most,
    maxBytes,
    schema: { ...envelope, properties },
    itemSchema: item,
    envelope: validator<TObject<Others>>(envelopeOf(Type.Unknown()), 'The body'),
    item: validator(item, `The ${one}`),
  };
}

/** The answer to a push: counts, `more`, and a result an item. */
export function batchResultOf<Result extends TSchema, More extends TProperties>(
  [many, one]: readonly [many: string, one: string],
  result: Result,
  more: More,
) {
  return Type.Object(
    {
      accepted: Type.Integer({ description: `${many} that were accepted.` }),
      rejected: Type.Integer({ description: `${many} that were rejected; their results say why.` }),
      ...more,
      results: Type.Array(result, { description: `One result ${one}, in the order of the request.` }),
    },
    closed,
  );
}
