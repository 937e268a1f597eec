/**
 * The one list of figures: what each is called and made of. What it means and how it is computed is in `figure-meanings.ts`, since the
 * app needs none of it. From both follow the wire objects, definitions, restated and explained figures.
 */

/** What figures are made of, in the order in which the parts of one order are listed. */
export const PARTS = [
  'sale',
  'gross_sale',
  'line_discount',
  'order_discount',
  'shipping',
  'tip',
  'duty',
  'order_rounding',
  'tax_added',
  'line_cost',
  'fee_actual',
  'fee_estimate',
  'tax',
  'fulfillment',
  'refund',
  'restock',
  'fee_refund',
  'tax_refund',
  'spend',
  'ad_expense',
  'other_expense',
] as const;
export type Part = (typeof PARTS)[number];

/** How a part counts in a figure: added or taken off. */
export type Signs = Readonly<Partial<Record<Part, 1 | -1>>>;

export interface FigureEntry {
  label: string;
  /** Of which figures it is the sum; `-` takes one off. The first one is the line above in the statement. */
  of?: readonly string[];
  /** Of which entries it is the sum. Absent: of those of the figures that it is made of. */
  entries?: Signs;
  /** The part of an order that it adds up, a column of `order_days` that is named as the figure: one entry an order. */
  entry?: Part;
  /** Of a quotient: dividend and divisor. */
  per?: readonly [string, string];
}

/** What is no quotient adds up over days. */
export const FIGURES = {
  revenue: {
    label: 'Revenue',
    of: ['gross_sales', '-discounts', 'shipping', 'tips', 'duties', 'rounding_adjustment', 'tax_added'],
    entries: { sale: 1 },
  },
  refunds: { label: 'Refunds', entries: { refund: 1 } },
  net_revenue: { label: 'Net revenue', of: ['revenue', '-refunds'] },
  orders: { label: 'Orders' },
  cogs: { label: 'COGS', entries: { line_cost: 1, restock: -1 } },
  gateway_fees: {
    label: 'Gateway fees',
    entries: { fee_actual: 1, fee_estimate: 1, fee_refund: -1 },
  },
  ad_spend: { label: 'Ad spend', entries: { spend: 1, ad_expense: 1 } },
  net_profit: { label: 'Net profit', of: ['net_revenue', '-cogs', '-gateway_fees', '-ad_spend'] },
  aov: { label: 'Average order value', per: ['revenue', 'orders'] },
  mer: { label: 'Marketing efficiency ratio', per: ['ad_spend', 'revenue'] },
  blended_roas: { label: 'Blended ROAS', per: ['revenue', 'ad_spend'] },
  operating_expenses: { label: 'Operating expenses', entries: { other_expense: 1 } },
  net_profit_after_expenses: { label: 'Net profit after expenses', of: ['net_profit', '-operating_expenses'] },
  gross_sales: { label: 'Gross sales', entries: { gross_sale: 1 } },
  discounts: { label: 'Discounts', entries: { line_discount: 1, order_discount: 1 } },
  shipping: { label: 'Shipping', entry: 'shipping' },
  tips: { label: 'Tips', entry: 'tip' },
  duties: { label: 'Duties', entry: 'duty' },
  rounding_adjustment: { label: 'Rounding', entry: 'order_rounding' },
  tax_added: { label: 'Tax added', entry: 'tax_added' },
  tax: { label: 'Tax', entry: 'tax' },
  tax_refunded: { label: 'Tax refunded', entries: { tax_refund: 1 } },
  taxes: { label: 'Taxes', of: ['tax', '-tax_refunded'] },
  fulfillment_costs: { label: 'Fulfillment costs', entry: 'fulfillment' },
  earnings: { label: 'Earnings', of: ['net_profit', '-taxes', '-fulfillment_costs', '-operating_expenses'] },
} as const satisfies Readonly<Record<string, FigureEntry>>;
export type FigureName = keyof typeof FIGURES;

type With<Property extends keyof FigureEntry> = {
  [Name in FigureName]: (typeof FIGURES)[Name] extends Record<Property, unknown> ? Name : never;
}[FigureName];
/** A figure that adds up over days. */
export type RestatedFigure = Exclude<FigureName, With<'per'>>;
/** Money that adds up over entries. */
export type ExplainableFigure = With<'of'> | With<'entries'> | With<'entry'>;

/** Those of a list, in its order. */
export const namesOf = (list: Readonly<Partial<Record<FigureName, unknown>>>): FigureName[] =>
  Object.keys(list) as FigureName[];
export const FIGURE_NAMES = namesOf(FIGURES);

const entryOf = (figure: FigureName): FigureEntry => FIGURES[figure];

export const isRatio = (figure: FigureName): figure is With<'per'> => entryOf(figure).per !== undefined;

/** The figures whose changes are reported. */
export const RESTATED_FIGURES = FIGURE_NAMES.filter((figure): figure is RestatedFigure => !isRatio(figure));
/** Counts and quotients are no sums of entries. */
export const EXPLAINABLE_FIGURES = RESTATED_FIGURES.filter(isExplainable);

function isExplainable(name: string): name is ExplainableFigure {
  const figure = FIGURE_NAMES.find((known) => known === name);
  if (figure === undefined) return false;
  const { of, entries, entry } = entryOf(figure);
  return (of ?? entries ?? entry) !== undefined;
}

/** What a line of the statement may show. */
export type LineFigure = Exclude<ExplainableFigure, 'net_profit_after_expenses'>;

/** A figure, and whether it is added or taken off. */
export interface Term {
  figure: LineFigure;
  sign: 1 | -1;
}

/** Of what figures it is the sum; none: of entries alone. Read once, since a year by day asks for some 20,000. */
export const termsOf = (figure: FigureName): readonly Term[] => TERMS.get(figure) ?? [];

function readTerms(figure: FigureName): Term[] {
  return (entryOf(figure).of ?? []).map((term) => {
    const name = term.replace('-', '');
    if (!isExplainable(name) || name === 'net_profit_after_expenses')
      throw new Error(`no figure that adds up: ${name}`);
    return { figure: name, sign: term === name ? 1 : -1 };
  });
}

const TERMS = new Map(FIGURE_NAMES.map((figure) => [figure, readTerms(figure)]));

/** A figure line by line: what is added and taken off, with sums between; the figure itself is last. `from` is not taken apart. */
export function linesTo(figure: LineFigure, from?: LineFigure): (Term & { isSum: boolean })[] {
  const [first, ...others] = figure === from ? [] : termsOf(figure);
  if (first === undefined) return [{ figure, sign: 1, isSum: false }];
  return [
    ...linesTo(first.figure, from),
    ...others.map((term) => ({ ...term, isSum: false })),
    { figure, sign: 1, isSum: true },
  ];
}
