import { guard } from '../guard.js';
import { DENIED, SILENT, type Reader, type Reading } from './reading.js';

interface TcData {
  eventStatus: string;
  gdprApplies?: boolean;
  purpose: { consents: Record<string, boolean | undefined> };
}
type TcfApi = (command: 'addEventListener', version: 2, callback: (data: TcData, success: boolean) => void) => void;

/** For analytics, storage and content performance; for marketing also profiles for advertising and its performance. */
const PURPOSES = [
  [1, 8],
  [1, 3, 4, 7, 8],
];

/** IAB TCF v2, by its purposes. Only consent counts, never legitimate interest. */
export function tcfConsent(changed: () => void): Reader {
  let hooked: TcfApi | undefined;
  let answer: Reading | undefined;

  const hear = guard((data: TcData, success: boolean) => {
    if (success) {
      if (data.gdprApplies === false) answer = [undefined, [true, true]];
      else if (/^(tcloaded|useractioncomplete)$/.test(data.eventStatus))
        answer = [PURPOSES.map((ids) => ids.every((id) => data.purpose.consents[id] === true)) as [boolean, boolean]];
      // The dialog is open. Reopened, the earlier choice holds until it is changed.
      else if (data.eventStatus === 'cmpuishown' && !answer?.[0]) answer = DENIED;
    }
    changed();
  });

  return () => {
    const api = (window as { __tcfapi?: TcfApi }).__tcfapi;
    if (api && api !== hooked) {
      hooked = api;
      api('addEventListener', 2, hear);
    }
    return hooked ? answer : SILENT;
  };
}
