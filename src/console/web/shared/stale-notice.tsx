import type { Failure } from './api.js';
import { formatMoment } from './days.js';

interface Props {
  failure: Failure;
  what: string;
  /** When what is still shown was read. */
  readAt: number;
  retry: () => void;
}

/** Says how old the figures are that stay while new ones can’t be read. The page goes on trying by itself. */
export function StaleNotice({ failure, what, readAt, retry }: Props) {
  const isStoreAway = failure.faults.some(({ code }) => code === 'store_unavailable');
  return (
    <div class="alert-bar stopped" role="alert">
      <p>
        <strong>
          These are the {what} of {formatMoment(new Date(readAt).toISOString())}.
        </strong>{' '}
        {isStoreAway
          ? 'The store of figures can’t be reached now; new orders are still taken and nothing is lost.'
          : failure.message}{' '}
        This page tries again by itself.
      </p>
      <button type="button" onClick={retry}>
        Try now
      </button>
    </div>
  );
}
