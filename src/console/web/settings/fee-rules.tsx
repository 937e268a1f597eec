import { useState } from 'preact/hooks';
import { gatewayKey } from '../../../domain/costs/gateway-keys.js';
import { pathOf } from '../app/address.js';
import { change, read, shopApi } from '../shared/api.js';
import { formatRange } from '../shared/days.js';
import { Answer, Panel, FailureNotice, useAction } from '../shared/frame.js';
import type { FeeOrders, Shop } from '../../../schemas/app.js';
import type { GatewayFeeRule, GatewayFeeRules } from '../../../schemas/gateway-fees.js';
import { FeesKnown } from './fees-known.js';
import { FeeRuleRow } from './fee-rule-row.js';
import { numbers, Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

const EMPTY: GatewayFeeRule = { payment_gateway: '', percent: '', fixed: '' };

/** The rules that estimate payment fees where an order carries no actual one, and of which orders they do. */
export function FeeRules({ shop }: { shop: Shop }) {
  const { currency } = shop;
  const path = shopApi(shop.shop_id, '/gateway-fees');
  const loaded = useRead<GatewayFeeRules>(path);
  const counted = useRead<FeeOrders>(currency === null ? null : `${path}/orders`);
  // The number of their orders comes above the rules, which would move when it came later.
  const isReady = currency === null || counted.data !== null || counted.failure !== null;
  const page = isReady ? loaded : { ...loaded, data: null };
  const [fresh, setFresh] = useState(EMPTY);
  const action = useAction();
  /** Changes the rules as they are now: another tab may have changed them since they were shown. */
  const save = async (name: string, rule?: GatewayFeeRule): Promise<boolean> => {
    const done = await action.run(async () => {
      const now = await read<GatewayFeeRules>(path);
      const at = now.rules.findIndex((one) => isOf(one, name));
      const next = [...now.rules];
      next.splice(at === -1 ? next.length : at, at === -1 ? 0 : 1, ...(rule === undefined ? [] : [rule]));
      await change(path, { rules: next });
    });
    if (done) {
      loaded.reload();
      counted.reload();
    }
    return done;
  };
  const add = async (event: Event) => {
    event.preventDefault();
    const rule = {
      payment_gateway: fresh.payment_gateway.trim(),
      percent: fresh.percent.trim() || '0',
      fixed: fresh.fixed.trim() || '0',
    };
    if (await save(rule.payment_gateway, rule)) setFresh(EMPTY);
  };
  const input = (field: keyof GatewayFeeRule, label: string, placeholder: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        required={field === 'payment_gateway'}
        placeholder={placeholder}
        inputMode={field === 'payment_gateway' ? 'text' : 'decimal'}
        value={fresh[field]}
        onInput={(event) => setFresh({ ...fresh, [field]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <Panel
      title="Payment fees"
      note="An order that says its actual fee uses that. For the others a rule estimates it: a share of the total, and a fixed part."
    >
      <Answer of={page} what="fee rules" rows={6}>
        {({ rules }) => (
          <>
            {counted.data !== null && currency !== null && <FeesKnown of={counted.data} currency={currency} />}
            {rules.length > 0 && (
              <Table label="Fee rules" folds columns={columnsOf(counted.data)}>
                {rules.map((rule) => (
                  <FeeRuleRow
                    key={rule.payment_gateway}
                    rule={rule}
                    currency={currency}
                    orders={ordersOf(rule, counted.data)}
                    href={ordersPath(shop.shop_id, rule, counted.data)}
                    busy={action.busy}
                    save={(next) => save(rule.payment_gateway, next)}
                    remove={() => void save(rule.payment_gateway)}
                  />
                ))}
              </Table>
            )}
            <form onSubmit={(event) => void add(event)}>
              <div class="fields">
                {input('payment_gateway', 'Payment gateway', 'stripe')}
                {input('percent', 'Percent', '1.4')}
                {input('fixed', `Fixed${shop.currency === null ? '' : `, ${currency}`}`, '0.25')}
              </div>
              {action.failure !== null && <FailureNotice failure={action.failure} />}
              <button type="submit" disabled={action.busy}>
                Set rule
              </button>
            </form>
          </>
        )}
      </Answer>
    </Panel>
  );
}

const isOf = (rule: GatewayFeeRule, name: string): boolean => gatewayKey(rule.payment_gateway) === gatewayKey(name);

const columnsOf = (counted: FeeOrders | null) => [
  ...words('Paid through'),
  ...numbers('Percent', 'Fixed', counted === null ? 'Orders' : `Orders of ${formatRange(counted)}`),
  ...words(<span class="unseen">Actions</span>),
];

/** Null: not read yet. */
const ordersOf = ({ payment_gateway: name }: GatewayFeeRule, counted: FeeOrders | null): number | null =>
  counted?.rules.find(({ payment_gateway }) => payment_gateway === name)?.orders ?? null;

function ordersPath(shop: string, rule: GatewayFeeRule, counted: FeeOrders | null): string | null {
  if (counted === null) return null;
  const { from, to } = counted;
  return `${pathOf(shop, 'orders')}?${new URLSearchParams({ from, to, gateway: rule.payment_gateway }).toString()}`;
}
