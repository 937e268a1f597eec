import { useState } from 'preact/hooks';
import { PRESETS } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { Table, words } from '../shared/table.js';
import { KeySetting } from './key-setting.js';
import { areKeysOn } from './keys.js';

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['g o', 'Overview'],
  ['g r', 'Orders'],
  ['r', 'Choose the days'],
  ...PRESETS.map(({ key, label }) => [`r ${key}`, label] as const),
  ['[', 'The period before'],
  [']', 'The period after'],
  ['j', 'The next row'],
  ['k', 'The row before'],
  ['Enter', 'Open the row'],
  ['Ctrl K', 'Find an order, a product or a page'],
  ['?', 'This list'],
];

/** What single keys do, and the way to switch them off. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <Table label="Keys" columns={words('Key', 'Does')}>
        {KEYS.map(([keys, does]) => (
          <tr key={keys}>
            <th scope="row">
              <kbd>{keys}</kbd>
            </th>
            <td>{does}</td>
          </tr>
        ))}
      </Table>
      <KeySetting isOn={isOn} setOn={setOn} />
      <form method="dialog" class="row">
        <button>Close</button>
      </form>
    </Dialog>
  );
}
