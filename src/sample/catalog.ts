/** A product of the sample shop; amounts are cents with tax. */
export interface SampleProduct {
  sku: string;
  title: string;
  price: number;
  /** Null: not known. */
  cost: number | null;
  /** Of a hundred lines. */
  weight: number;
  /** Of a hundred orders with it that come back, to be sold again or broken. */
  returned: number;
  broken?: true;
  /** Sold from so many days before today; absent: always. */
  since?: number;
}

/** Sold at a price that its breakages eat up. */
const VASE: SampleProduct = {
  sku: 'VASE-60',
  title: 'Floor vase, 60 cm',
  price: 3_990,
  cost: 3_290,
  weight: 9,
  returned: 52,
  broken: true,
  since: 29,
};

export const PRODUCTS: readonly SampleProduct[] = [
  { sku: 'MUG-SAND', title: 'Stoneware mug, sand', price: 1_690, cost: 480, weight: 20, returned: 3 },
  { sku: 'MUG-MOSS', title: 'Stoneware mug, moss', price: 1_690, cost: 480, weight: 14, returned: 3 },
  { sku: 'BOWL-L', title: 'Salad bowl, oak', price: 4_490, cost: 1_530, weight: 8, returned: 4 },
  { sku: 'TEAPOT-1', title: 'Teapot, 1.2 l', price: 5_490, cost: 1_790, weight: 7, returned: 5 },
  { sku: 'CANDLE-FIG', title: 'Candle, fig and cedar', price: 2_490, cost: 610, weight: 15, returned: 1 },
  { sku: 'THROW-WOOL', title: 'Wool throw, 130 × 180', price: 8_900, cost: 3_460, weight: 6, returned: 8 },
  { sku: 'CUSHION-45', title: 'Linen cushion, 45 × 45', price: 3_490, cost: 1_120, weight: 8, returned: 6 },
  { sku: 'APRON', title: 'Kitchen apron', price: 3_290, cost: 940, weight: 6, returned: 4 },
  { sku: 'TOWEL-3', title: 'Linen tea towels, set of 3', price: 2_790, cost: null, weight: 7, returned: 2 },
  VASE,
];

/** How customers come, with the parameters and the referrer that a browser has then. `ID` is another one a click. */
export interface SampleVisit {
  /** Of a hundred orders. */
  weight: number;
  query: string;
  referrer?: string;
  since?: number;
}

/** What the losing campaign costs a day, in cents, and since how many days before today. */
export const TIKTOK = { spend: 9_400, since: 29 } as const;
export const GOOGLE_SPEND = 4_300;

export const VISITS: readonly SampleVisit[] = [
  {
    weight: 25,
    query: '?utm_source=google&utm_medium=cpc&utm_campaign=tableware&gclid=Cj0KCQ-ID',
    referrer: 'https://www.google.com/',
  },
  { weight: 21, query: '', referrer: 'https://www.google.com/' },
  { weight: 15, query: '?utm_source=newsletter&utm_medium=email&utm_campaign=friday-letter' },
  { weight: 14, query: '' },
  { weight: 5, query: '', referrer: 'https://www.pinterest.com/' },
  { weight: 3, query: '', referrer: 'https://chatgpt.com/' },
  {
    weight: 10,
    query: '?utm_source=tiktok&utm_medium=paid_social&utm_campaign=autumn-clips&ttclid=E.C.P.ID',
    since: TIKTOK.since,
  },
];

/** Of a hundred orders those whose customer agreed to no measuring. */
export const UNSEEN = 12;
