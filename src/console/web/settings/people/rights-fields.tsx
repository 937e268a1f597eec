import { ROLES, type Role } from '../../../../domain/roles.js';
import type { Shop } from '../../../../schemas/app.js';
import { ROLE_MEANS, ROLE_NAMES } from './words.js';

export interface Rights {
  role: Role;
  /** Null: all. */
  shops: readonly string[] | null;
}

/** What somebody may do, and for which shops; an owner has all of them. */
export function RightsFields(props: {
  value: Rights;
  /** Ticked when “All shops” no longer is. */
  shop: string;
  shops: Shop[];
  onChange: (rights: Rights) => void;
}) {
  const { role, shops } = props.value;
  const ids = props.shops.map(({ shop_id }) => shop_id);
  // A shop that is gone from the list stays theirs until it is taken away.
  const listed = [...new Set([...ids, ...(shops ?? [])])];
  const toggle = (id: string, isOn: boolean): void => {
    const rest = (shops ?? []).filter((other) => other !== id);
    props.onChange({ role, shops: isOn ? [...rest, id] : rest });
  };
  return (
    <>
      <fieldset>
        <legend>Role</legend>
        {ROLES.map((one) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name="role"
              checked={role === one}
              onChange={() => props.onChange({ role: one, shops: one === 'owner' ? null : shops })}
            />
            <span>
              {ROLE_NAMES[one]}
              <span class="note">{ROLE_MEANS[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {role !== 'owner' && (
        <fieldset>
          <legend>Shops</legend>
          <label class="choice">
            <input
              type="checkbox"
              checked={shops === null}
              onChange={(event) => props.onChange({ role, shops: event.currentTarget.checked ? null : [props.shop] })}
            />
            <span>
              All shops<span class="note">also those that are made later</span>
            </span>
          </label>
          {shops !== null &&
            listed.map((id) => (
              <label key={id} class="choice">
                <input
                  type="checkbox"
                  checked={shops.includes(id)}
                  onChange={(event) => toggle(id, event.currentTarget.checked)}
                />
                <span>{id}</span>
              </label>
            ))}
        </fieldset>
      )}
    </>
  );
}
