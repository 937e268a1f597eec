import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GatewayFeeRule } from '../../../schemas/gateway-fees.js';
import { formatCount, formatExactMoney } from '../shared/money.js';

interface Props {
  rule: GatewayFeeRule;
  currency: string | null;
  /** How many orders it has estimated; null: not read yet. */
  orders: number | null;
  /** Leads to the orders of its gateway. */
  href: string | null;
  busy: boolean;
  /** Whether it was saved. */
  save: (rule: GatewayFeeRule) => Promise<boolean>;
  remove: () => void;
}

/** A rule, which is changed in its place. */
export function FeeRuleRow({ rule, currency, orders, href, busy, save, remove }: Props) {
  const { payment_gateway: name, percent, fixed } = rule;
  const [draft, setDraft] = useState<GatewayFeeRule | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isOpen = draft !== null;
  // Before the next key, which is to replace the percentage.
  useLayoutEffect(() => input.current?.select(), [isOpen]);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (draft !== null && (await save(draft))) setDraft(null);
  };
  const form = `rule-${name}`;
  const field = (key: 'percent' | 'fixed', label: string) => (
    <input
      ref={key === 'percent' ? input : null}
      form={form}
      class="slim"
      inputMode="decimal"
      aria-label={label}
      value={draft?.[key]}
      onInput={(event) => draft !== null && setDraft({ ...draft, [key]: event.currentTarget.value.trim() })}
    />
  );
  const count = orders === null ? '–' : formatCount(orders);
  return (
    <tr>
      <th scope="row" class="wide">
        {name}
      </th>
      <td class="number">{isOpen ? field('percent', `Percent of ${name}`) : `${percent}%`}</td>
      <td class="number">
        {isOpen
          ? field('fixed', `Fixed part of ${name}${currency === null ? '' : `, ${currency}`}`)
          : currency === null
            ? fixed
            : formatExactMoney(fixed, currency)}
      </td>
      <td class="number">{href === null || orders === 0 ? count : <a href={href}>{count}</a>}</td>
      <td class="doings">
        {isOpen ? (
          <form id={form} class="row tight" onSubmit={(event) => void submit(event)}>
            <button type="submit" class="primary" disabled={busy}>
              Save
            </button>
            <button type="button" onClick={() => setDraft(null)}>
              Cancel
            </button>
          </form>
        ) : (
          <div class="row tight">
            <button type="button" aria-label={`Change the rule of ${name}`} onClick={() => setDraft(rule)}>
              Change
            </button>
            <button
              type="button"
              class="danger-quiet"
              disabled={busy}
              aria-label={`Remove the rule of ${name}`}
              onClick={remove}
            >
              Remove
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}
