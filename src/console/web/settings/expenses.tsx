import { useState } from 'preact/hooks';
import { uploadPath } from '../app/address.js';
import { change, make, newFormKey, read, shopApi } from '../shared/api.js';
import { Badge } from '../shared/badge.js';
import { formatDay, todayIn } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { Answer, Panel, FailureNotice, useAction } from '../shared/frame.js';
import { formatExactMoney } from '../shared/money.js';
import type { AppExpense, ExpensesAnswer, Shop } from '../../../schemas/app.js';
import { numbers, Table, words } from '../shared/table.js';
import { ExpenseForm, FREQUENCIES, type ExpenseFields } from './expense-form.js';
import { useRead } from '../shared/use-read.js';

type Open = { what: 'new'; formKey: string } | { what: 'edit' | 'delete'; expense: AppExpense } | null;

/** Recurring costs: those made here can be changed here, those of the API only there. */
export function Expenses({ shop }: { shop: Shop }) {
  const path = shopApi(shop.shop_id, '/expenses');
  const loaded = useRead<ExpensesAnswer>(path);
  const { data, reload } = loaded;
  const [open, setOpen] = useState<Open>(null);
  const { busy, failure, run } = useAction();
  const close = () => setOpen(null);
  const act = async (action: () => Promise<unknown>) => {
    if (!(await run(action))) return;
    saved();
  };
  const saved = () => {
    close();
    reload();
  };
  const end = (expense: AppExpense) =>
    act(() =>
      change(`${path}/${expense.expense_id}/end`, {
        ended_on: expense.ended_on === null ? todayIn(shop.timezone ?? 'UTC') : null,
      }),
    );
  const actions = (
    <div class="row">
      <a class="button" href={uploadPath(shop.shop_id, 'expenses')}>
        Upload a CSV
      </a>
      <button type="button" class="primary" onClick={() => setOpen({ what: 'new', formKey: newFormKey() })}>
        Add expense
      </button>
    </div>
  );
  return (
    <Panel
      title="Expenses"
      actions={actions}
      note="Costs that come back: software, people, agencies. Those that count as ad spend are part of ad spend and ROAS, all others of the operating expenses. Those of the API are changed there, those of a file by another one with the same ids; all can be deleted here."
    >
      <Answer of={loaded} what="expenses" rows={2} />
      {failure !== null && <FailureNotice failure={failure} />}
      {data?.expenses.length === 0 && <p class="empty">No expenses yet.</p>}
      {data !== null && data.expenses.length > 0 && (
        <Table
          label="Expenses"
          folds
          columns={[...words('Expense'), ...numbers('Amount'), ...words('How often', 'Days', 'Counts as', 'Kept by')]}
        >
          {data.expenses.map((expense) => (
            <tr key={expense.expense_id}>
              <th scope="row" class="wide">
                {expense.name}
                <span class="sub">{expense.category}</span>
              </th>
              <td class="number">{amountOf(expense)}</td>
              <td>{FREQUENCIES[expense.frequency] ?? expense.frequency}</td>
              <td>{daysOf(expense)}</td>
              <td>{expense.counts_as_ad_spend ? 'ads' : 'expense'}</td>
              <td class="doings">
                <div class="row tight">
                  {expense.external_id === null ? (
                    <>
                      <button
                        type="button"
                        aria-label={`Edit ${expense.name}`}
                        onClick={() => setOpen({ what: 'edit', expense })}
                      >
                        Edit
                      </button>
                      <button
                        type="button"
                        disabled={busy}
                        aria-label={endLabel(expense)}
                        onClick={() => void end(expense)}
                      >
                        {expense.ended_on === null ? 'End' : 'Go on'}
                      </button>
                    </>
                  ) : (
                    <Badge tone="calm">the API or a file</Badge>
                  )}
                  <button
                    type="button"
                    class="danger-quiet"
                    aria-label={`Delete ${expense.name}`}
                    onClick={() => setOpen({ what: 'delete', expense })}
                  >
                    Delete
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {open?.what === 'new' && (
        <ExpenseForm
          shop={shop}
          preview={`${path}/preview`}
          onClose={close}
          save={(fields) => make(path, fields, open.formKey)}
          onSaved={saved}
        />
      )}
      {open?.what === 'edit' && (
        <ExpenseForm
          shop={shop}
          known={open.expense}
          preview={`${path}/${open.expense.expense_id}/preview`}
          onClose={close}
          save={(fields) => saveEdit(path, open.expense, fields)}
          onSaved={saved}
        />
      )}
      {open?.what === 'delete' && (
        <Dialog title={`Delete ${open.expense.name}?`} onClose={close}>
          <p>
            It disappears from every day, past ones too.{' '}
            {open.expense.external_id === null
              ? 'To keep the past, end it instead.'
              : `It came through the API or a file: a push or a file with its id, ${open.expense.external_id}, makes it again.`}
          </p>
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={busy}
              onClick={() => void act(() => change(`${path}/${open.expense.expense_id}`, {}, 'DELETE'))}
            >
              Delete expense
            </button>
            <button type="button" onClick={close}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

const fieldsOf = (expense: AppExpense): ExpenseFields => ({
  name: expense.name,
  category: expense.category,
  amount: expense.amount,
  currency: expense.currency,
  frequency: expense.frequency,
  started_on: expense.started_on,
  ended_on: expense.ended_on,
  counts_as_ad_spend: expense.counts_as_ad_spend,
});

/** Sets what was changed here alone: another tab may have changed the rest since it was shown. */
async function saveEdit(path: string, known: AppExpense, fields: ExpenseFields): Promise<unknown> {
  const { expenses } = await read<ExpensesAnswer>(path);
  const { expense_id } = known;
  const now = expenses.find((one) => one.expense_id === expense_id) ?? known;
  const before = new Map<string, unknown>(Object.entries(known));
  const changed = Object.entries(fields).filter(([name, value]) => before.get(name) !== value);
  return change(`${path}/${expense_id}`, { ...fieldsOf(now), ...Object.fromEntries(changed) }, 'PATCH');
}

const endLabel = ({ name, ended_on }: AppExpense): string =>
  ended_on === null ? `End ${name} today` : `Let ${name} go on without an end`;

const amountOf = ({ amount, currency, frequency }: AppExpense): string =>
  frequency === 'percent_of_revenue' ? `${amount}%` : formatExactMoney(amount, currency);

const daysOf = ({ started_on, ended_on }: AppExpense): string =>
  ended_on === null ? `since ${formatDay(started_on)}` : `${formatDay(started_on)} to ${formatDay(ended_on)}`;
