import type { ComponentChildren } from 'preact';
import { FailureNotice } from './frame.js';
import type { Failure } from './request.js';

interface Props {
  /** What its main button does. */
  action: string;
  isDisabled: boolean;
  failure: Failure | null;
  /** Absent: there is nothing to go back to. */
  onCancel?: (() => void) | undefined;
  /** Further buttons, between the two. */
  children?: ComponentChildren;
}

/** The end of a form in a dialog: what went wrong, and its buttons. */
export function FormEnd({ action, isDisabled, failure, onCancel, children }: Props) {
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} />}
      <div class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          {action}
        </button>
        {children}
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </>
  );
}
