import {
  EXPLAINABLE_FIGURES,
  FIGURE_NAMES,
  FIGURES,
  linesTo,
  PARTS,
  termsOf,
  type ExplainableFigure,
  type FigureEntry,
  type FigureName,
  type Part,
  type Signs,
  type Term,
} from './figure-list.js';

/** A part as SQL statements name it. */
export function partNumber(part: Part): string {
  return String(PARTS.indexOf(part));
}

type ExpensePart = 'ad_expense' | 'other_expense';
export type ContributionKind = Exclude<Part, ExpensePart> | 'expense' | 'rounding';

export function kindOf(part: Part): ContributionKind {
  return part === 'ad_expense' || part === 'other_expense' ? 'expense' : part;
}

/** The kinds of entries; both parts of expenses are one kind, and what rounding leaves is one of its own. */
export const CONTRIBUTION_KINDS: readonly ContributionKind[] = [...new Set(PARTS.map(kindOf)), 'rounding'];

/** What a figure is made of, with the sign with which it counts in it. */
function partsOf(name: FigureName): Signs {
  const { entries, entry }: FigureEntry = FIGURES[name];
  if (entry !== undefined) return { [entry]: 1 };
  if (entries !== undefined) return entries;
  const parts: Partial<Record<Part, 1 | -1>> = {};
  for (const { figure, sign } of termsOf(name)) {
    const own = partsOf(figure);
    for (const part of PARTS) {
      const inFigure = own[part];
      if (inFigure !== undefined) parts[part] = inFigure === sign ? 1 : -1;
    }
  }
  return parts;
}

/** The figures that are one amount of each order, with the parts that list it. */
export const AMOUNTS_OF_ORDER = FIGURE_NAMES.flatMap((figure): [Part, FigureName][] => {
  const { entry }: FigureEntry = FIGURES[figure];
  return entry === undefined ? [] : [[entry, figure]];
});

/** The figures that earnings are made of, and whether they add or take off. */
export const EARNINGS_PARTS: readonly Term[] = linesTo('earnings', 'revenue').filter(({ isSum }) => !isSum);

/** What an explanation may be narrowed to: entries with this SKU, of orders of this channel or gateway. */
export interface ContributionFilter {
  sku?: string | undefined;
  /** Spend of this channel too. */
  channel?: string | undefined;
  /** A gateway key. */
  gateway?: string | undefined;
}

export const CONTRIBUTION_FILTERS = ['sku', 'channel', 'gateway'] as const satisfies (keyof ContributionFilter)[];
export type ContributionFilterName = (typeof CONTRIBUTION_FILTERS)[number];

export const PARTS_OF_LINES: readonly Part[] = ['line_cost', 'restock'];
/** What lines are sold for. */
export const PARTS_OF_SALES: readonly Part[] = ['gross_sale', 'line_discount'];
export const PARTS_OF_EXPENSES: readonly Part[] = ['ad_expense', 'other_expense'];
const PARTS_OF_NO_ORDER: readonly Part[] = ['spend', ...PARTS_OF_EXPENSES];
export const PARTS_OF_ORDERS = PARTS.filter((part) => !PARTS_OF_NO_ORDER.includes(part));
const PARTS_WITH: Record<ContributionFilterName, readonly Part[]> = {
  sku: [...PARTS_OF_LINES, ...PARTS_OF_SALES],
  gateway: PARTS_OF_ORDERS,
  channel: [...PARTS_OF_ORDERS, 'spend'],
};

/** The parts of a figure that a filter leaves, with their signs. */
export function signsOf(figure: ExplainableFigure, filter: ContributionFilter = {}): Signs {
  const signs = partsOf(figure);
  const given = CONTRIBUTION_FILTERS.filter((name) => filter[name] !== undefined);
  return Object.fromEntries(
    Object.entries(signs).filter(([part]) => given.every((name) => PARTS_WITH[name].some((own) => own === part))),
  );
}

/** The figures that have entries which a filter could select. */
export function figuresWith(filter: ContributionFilterName): ExplainableFigure[] {
  return EXPLAINABLE_FIGURES.filter((figure) => Object.keys(signsOf(figure, { [filter]: '' })).length > 0);
}
