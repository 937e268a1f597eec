import { checkExpenseRules, EXPENSE_CATEGORIES, EXPENSE_FREQUENCIES } from '../../../domain/costs/expenses.js';
import { LAST_END_DAY } from '../../../domain/time.js';

/** Columns of a file: their names are those of the API. */
export interface Column {
  name: string;
  label: string;
  isRequired?: boolean;
  /** It is compared with what others know, so that a rounded one joins nothing. */
  isId?: boolean;
  /** What its cells are: by default a text; a list has the words that they may be. */
  form?: 'amount' | 'day' | 'currency' | 'flag' | readonly string[];
  /** The latest that a day may be, where it is a later one than of the others. */
  lastDay?: string;
}

/** What can be uploaded. */
export interface UploadKind {
  title: string;
  columns: readonly Column[];
  method: 'PUT' | 'POST';
  path: string;
  /** The list in the body; null: each line is a body of its own. */
  list: 'costs' | 'rows' | null;
  /** Lines of a request. */
  most: number;
  /** Lines of a file, where fewer than of any. */
  mostLines?: number;
  /** Exports of ad networks are read too. */
  takesExports?: boolean;
  /** Rules across the columns of a line. */
  rules?: (item: object) => { message: string }[];
  /** Whether the service can say what it would change. */
  canTry: boolean;
  /** The words for one and for many. */
  noun: readonly [string, string];
}

export const UPLOADS = {
  costs: {
    title: 'Upload unit costs',
    columns: [
      { name: 'sku', label: 'SKU', isRequired: true, isId: true },
      { name: 'unit_cost', label: 'New cost', isRequired: true, form: 'amount' },
      { name: 'effective_from', label: 'Valid from', form: 'day' },
    ],
    method: 'PUT',
    path: '/v1/products/costs',
    list: 'costs',
    most: 1_000,
    canTry: true,
    noun: ['cost', 'costs'],
  },
  orders: {
    title: 'Upload costs of orders',
    columns: [
      { name: 'order_id', label: 'Order', isRequired: true, isId: true },
      { name: 'fulfillment_cost', label: 'Packing and shipping', form: 'amount' },
      { name: 'gateway_fee', label: 'Payment fee', form: 'amount' },
    ],
    method: 'PUT',
    path: '/v1/costs/orders',
    list: 'costs',
    most: 1_000,
    canTry: false,
    noun: ['order', 'orders'],
  },
  spend: {
    title: 'Upload ad spend',
    columns: [
      { name: 'event_date', label: 'Day', isRequired: true, form: 'day' },
      { name: 'channel', label: 'Channel', isRequired: true },
      { name: 'spend', label: 'Spend', isRequired: true, form: 'amount' },
      { name: 'currency', label: 'Currency', isRequired: true, form: 'currency' },
      { name: 'campaign_id', label: 'Campaign', isId: true },
      { name: 'campaign_name', label: 'Name of the campaign' },
    ],
    method: 'POST',
    path: '/v1/costs/spend',
    takesExports: true,
    list: 'rows',
    most: 500,
    canTry: false,
    noun: ['row', 'rows'],
  },
  expenses: {
    title: 'Upload expenses',
    columns: [
      { name: 'external_id', label: 'Your id', isRequired: true, isId: true },
      { name: 'name', label: 'Expense', isRequired: true },
      { name: 'category', label: 'Category', isRequired: true, form: EXPENSE_CATEGORIES },
      { name: 'amount', label: 'Amount', isRequired: true, form: 'amount' },
      { name: 'currency', label: 'Currency', isRequired: true, form: 'currency' },
      { name: 'frequency', label: 'How often', isRequired: true, form: EXPENSE_FREQUENCIES },
      { name: 'started_on', label: 'First day', isRequired: true, form: 'day' },
      { name: 'ended_on', label: 'Last day', form: 'day', lastDay: LAST_END_DAY },
      { name: 'counts_as_ad_spend', label: 'Counts as ads', form: 'flag' },
    ],
    method: 'POST',
    path: '/v1/costs/expenses',
    list: null,
    most: 1,
    mostLines: 500,
    rules: checkExpenseRules,
    canTry: false,
    noun: ['expense', 'expenses'],
  },
} as const satisfies Record<string, UploadKind>;
