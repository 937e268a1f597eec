import { useState } from 'preact/hooks';
import { change, shopApi } from '../shared/api.js';
import { Answer, Panel, Trouble, useAction } from '../shared/frame.js';
import { formatExactMoney } from '../shared/money.js';
import type { Shop } from '../../../schemas/app.js';
import type { GatewayFeeRule, GatewayFeeRules } from '../../../schemas/gateway-fees.js';
import { numbers, Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

const COLUMNS = [
  ...words('Paid through'),
  ...numbers('Percent', 'Fixed'),
  ...words(<span class="unseen">Actions</span>),
];
const EMPTY: GatewayFeeRule = { payment_gateway: '', percent: '', fixed: '' };

/** The rules that estimate payment fees where an order carries no actual one. */
export function FeeRules({ shop }: { shop: Shop }) {
  const path = shopApi(shop.shop_id, '/gateway-fees');
  const loaded = useRead<GatewayFeeRules>(path);
  const { data, reload } = loaded;
  const [fresh, setFresh] = useState(EMPTY);
  const action = useAction();
  const rules = data?.rules ?? [];
  const save = async (next: GatewayFeeRule[]) => {
    const done = await action.run(() => change(path, { rules: next }));
    if (done) reload();
    return done;
  };
  const add = async (event: Event) => {
    event.preventDefault();
    const rule = {
      payment_gateway: fresh.payment_gateway.trim(),
      percent: fresh.percent.trim() || '0',
      fixed: fresh.fixed.trim() || '0',
    };
    const isOther = (one: GatewayFeeRule): boolean =>
      one.payment_gateway.toLowerCase() !== rule.payment_gateway.toLowerCase();
    if (await save([...rules.filter(isOther), rule])) setFresh(EMPTY);
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
      <Answer of={loaded} what="fee rules" rows={2} />
      {rules.length > 0 && (
        <Table label="Fee rules" folds columns={COLUMNS}>
          {rules.map((rule) => (
            <tr key={rule.payment_gateway}>
              <th scope="row" class="wide">
                {rule.payment_gateway}
              </th>
              <td class="number">{rule.percent} %</td>
              <td class="number">
                {shop.currency === null ? rule.fixed : formatExactMoney(rule.fixed, shop.currency)}
              </td>
              <td class="doings">
                <button
                  type="button"
                  class="danger-quiet"
                  disabled={action.busy}
                  aria-label={`Remove the rule of ${rule.payment_gateway}`}
                  onClick={() => void save(rules.filter((other) => other !== rule))}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form onSubmit={(event) => void add(event)}>
        <div class="fields">
          {input('payment_gateway', 'Payment gateway', 'stripe')}
          {input('percent', 'Percent', '1.4')}
          {input('fixed', `Fixed${shop.currency === null ? '' : `, ${shop.currency}`}`, '0.25')}
        </div>
        {action.failure !== null && <Trouble failure={action.failure} />}
        <button type="submit" disabled={action.busy || data === null}>
          Set rule
        </button>
      </form>
    </Panel>
  );
}
