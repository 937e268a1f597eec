import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { FeeOrders } from '../../../schemas/app.js';
import { shopApi } from '../shared/api.js';
import { Search } from '../shared/search.js';
import { useRead } from '../shared/use-read.js';

const HINT = 'Name of the payment gateway';

/** A gateway to type; those of the fee rules, and of the last orders whose fee is not known, are suggested. */
export function GatewayChoice({ view: { shop, address } }: { view: View }) {
  const { data } = useRead<FeeOrders>(shopApi(shop, '/gateway-fees/orders'));
  const names = [...(data?.rules ?? []).map(({ payment_gateway }) => payment_gateway), ...(data?.without_rule ?? [])];
  return (
    <Search
      label={HINT}
      placeholder={HINT}
      value=""
      hrefOf={(gateway) => linkHere(address, { gateway })}
      known={names.map((value) => ({ value }))}
    />
  );
}
