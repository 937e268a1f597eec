import type { ComponentChildren } from 'preact';
import { Trouble } from './frame.js';
import type { Failure } from './request.js';

interface Props {
  /** What its main button does. */
  action: string;
  isDisabled: boolean;
  failure: Failure | null;
  onCancel: () => void;
  /** Further buttons, between the two. */
  children?: ComponentChildren;
}

/** The end of a form in a dialog: what went wrong, and its buttons. */
export function FormEnd({ action, isDisabled, failure, onCancel, children }: Props) {
  return (
    <>
      {failure !== null && <Trouble failure={failure} />}
      <div class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          {action}
        </button>
        {children}
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
