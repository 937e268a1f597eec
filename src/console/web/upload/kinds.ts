/** Columns of a file: their names are those of the API. */
export interface Column {
  name: string;
  label: string;
  isAmount?: boolean;
  isRequired?: boolean;
}

/** What can be uploaded. */
export interface UploadKind {
  title: string;
  columns: readonly Column[];
  method: 'PUT' | 'POST';
  path: string;
  /** The list in the body. */
  list: 'costs' | 'rows';
  most: number;
  /** Whether the service can say what it would change. */
  canTry: boolean;
  /** The words for one and for many. */
  noun: readonly [string, string];
}

export const UPLOADS = {
  costs: {
    title: 'Upload unit costs',
    columns: [
      { name: 'sku', label: 'SKU', isRequired: true },
      { name: 'unit_cost', label: 'New cost', isAmount: true, isRequired: true },
      { name: 'effective_from', label: 'Holds from' },
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
      { name: 'order_id', label: 'Order', isRequired: true },
      { name: 'fulfillment_cost', label: 'Packing and shipping', isAmount: true },
      { name: 'gateway_fee', label: 'Payment fee', isAmount: true },
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
      { name: 'event_date', label: 'Day', isRequired: true },
      { name: 'channel', label: 'Channel', isRequired: true },
      { name: 'spend', label: 'Spend', isAmount: true, isRequired: true },
      { name: 'currency', label: 'Currency', isRequired: true },
      { name: 'campaign_id', label: 'Campaign' },
      { name: 'campaign_name', label: 'Name of the campaign' },
    ],
    method: 'POST',
    path: '/v1/costs/spend',
    list: 'rows',
    most: 500,
    canTry: false,
    noun: ['row', 'rows'],
  },
} as const satisfies Record<string, UploadKind>;
