import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { shopApi } from '../shared/api.js';
import { Search } from '../shared/search.js';
import { useRead } from '../shared/use-read.js';

const HINT = 'SKU of the product';
const MOST = 100;

/** A SKU to type; those that sold most on these days are suggested, by SKU and by name. */
export function ProductChoice({ view: { shop, from, to, address } }: { view: View }) {
  const { data } = useRead<ProductsResponse>(shopApi(shop, `/v1/products?from=${from}&to=${to}&limit=${MOST}`));
  const known = (data?.products ?? []).flatMap(({ sku, title }) =>
    sku === null ? [] : [{ value: sku, about: title }],
  );
  return <Search label={HINT} placeholder={HINT} value="" hrefOf={(sku) => linkHere(address, { sku })} known={known} />;
}
