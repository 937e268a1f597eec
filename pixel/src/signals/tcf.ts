import type { Reader, Reading } from './reading.js';

interface TcData {
  eventStatus?: string;
  gdprApplies?: boolean;
  purpose?: { consents?: Record<string, boolean | undefined> };
}
type TcfApi = (
  command: 'addEventListener',
  version: 2,
  callback: (data: TcData | null | undefined, success: boolean) => void,
) => void;

/**
 * IAB TCF v2. Analytics is purposes 1 (storage) and 8 (content performance); marketing is that and 3, 4 (profiles for
 * advertising) and 7 (advertising performance). Only consent counts, never legitimate interest.
 */
export function tcfConsent(changed: () => void): Reader {
  let hooked: unknown;
  let answer: Reading = {};
  return () => {
    const api = (window as { __tcfapi?: TcfApi }).__tcfapi;
    if (api && api !== hooked) {
      if (!hooked) answer = { pending: true };
      hooked = api;
      api('addEventListener', 2, (data, success) => {
        if (success && data) answer = read(data, answer);
        changed();
      });
    }
    return answer;
  };
}

function read({ eventStatus, gdprApplies, purpose }: TcData, before: Reading): Reading {
  if (gdprApplies === false) return { preset: [true, true] };
  if (eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete') {
    const given = (...purposes: number[]): boolean => purposes.every((id) => purpose?.consents?.[id] === true);
    return { choice: [given(1, 8), given(1, 3, 4, 7, 8)] };
  }
  // The dialog is open. Reopened, the earlier choice holds until it is changed.
  return eventStatus === 'cmpuishown' && !before.choice ? { preset: [false, false] } : before;
}
