import { useMemo, useRef, useState } from 'preact/hooks';
import { todayIn } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { useAction } from '../shared/frame.js';
import { FormEnd } from '../shared/form-end.js';
import { ExpenseEffect } from './expense-effect.js';
import type { AppExpense, Shop } from '../../../schemas/app.js';

export const FREQUENCIES: Record<string, string> = {
  monthly: 'a month',
  weekly: 'a week',
  yearly: 'a year',
  one_time: 'once',
  per_order: 'an order',
  percent_of_revenue: 'of revenue',
};
const CATEGORIES = ['software', 'tools', 'va', 'marketing', 'other'];

/** What is typed; the service says which categories and frequencies there are. */
export type ExpenseFields = Omit<AppExpense, 'expense_id' | 'external_id' | 'category' | 'frequency'> &
  Record<'category' | 'frequency', string>;

/** Makes an expense, or replaces all fields of one. Amounts stay the text that was typed. */
export function ExpenseForm(props: {
  shop: Shop;
  known?: AppExpense;
  /** Asks what it would change. */
  preview: string;
  save: (fields: ExpenseFields) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { shop, known } = props;
  const [fields, setFields] = useState<ExpenseFields>({
    name: known?.name ?? '',
    category: known?.category ?? 'software',
    amount: known?.amount ?? '',
    currency: known?.currency ?? shop.currency ?? 'EUR',
    frequency: known?.frequency ?? 'monthly',
    started_on: known?.started_on ?? todayIn(shop.timezone ?? 'UTC'),
    ended_on: known?.ended_on ?? null,
    counts_as_ad_spend: known?.counts_as_ad_spend ?? false,
  });
  const form = useRef<HTMLFormElement>(null);
  /** How often a field was left with another value. */
  const [left, setLeft] = useState(0);
  const entered = useMemo(() => (left > 0 && form.current?.checkValidity() === true ? fields : null), [left]);
  const { busy, failure, run } = useAction();
  const set = (change: Partial<ExpenseFields>) => setFields({ ...fields, ...change });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await run(() => props.save(fields))) props.onSaved();
  };
  return (
    <Dialog title={known === undefined ? 'Add an expense' : 'Edit the expense'} onClose={props.onClose}>
      <form ref={form} onSubmit={(event) => void submit(event)} onChange={() => setLeft(left + 1)}>
        <div class="fields">
          <label class="field">
            <span>Name</span>
            <input
              required
              maxLength={1000}
              value={fields.name}
              onInput={(event) => set({ name: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span>Category</span>
            <select value={fields.category} onChange={(event) => set({ category: event.currentTarget.value })}>
              {CATEGORIES.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{fields.frequency === 'percent_of_revenue' ? 'Percent' : `Amount, ${fields.currency}`}</span>
            <input
              required
              inputMode="decimal"
              placeholder="49.00"
              value={fields.amount}
              onInput={(event) => set({ amount: event.currentTarget.value.trim() })}
            />
          </label>
          <label class="field">
            <span>How often</span>
            <select value={fields.frequency} onChange={(event) => set({ frequency: event.currentTarget.value })}>
              {Object.entries(FREQUENCIES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>First day</span>
            <input
              type="date"
              required
              value={fields.started_on}
              onInput={(event) => set({ started_on: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span>Last day (optional)</span>
            <input
              type="date"
              value={fields.ended_on ?? ''}
              onInput={(event) => set({ ended_on: event.currentTarget.value || null })}
            />
          </label>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={fields.counts_as_ad_spend}
            onChange={(event) => set({ counts_as_ad_spend: event.currentTarget.checked })}
          />
          Counts as ad spend
        </label>
        <ExpenseEffect path={props.preview} fields={entered} />
        <FormEnd action="Save" isDisabled={busy} failure={failure} onCancel={props.onClose} />
      </form>
    </Dialog>
  );
}
