import { isTelling } from './campaign.js';

const LONGEST = 255;
/** What networks write as the id of a campaign. */
const ID = /^[\w.~:-]+$/;

/**
 * What names the campaign of a visit: its `utm_campaign` as sent, else the id that its link gives; empty: neither says one. An id is
 * no longer than a name, 255 characters, and has no other signs than letters, digits and `_.~:-`.
 */
export function campaignName(utmCampaign: string, id: string): string {
  if (isTelling(utmCampaign)) return utmCampaign;
  return id.length <= LONGEST && ID.test(id) && isTelling(id) ? id : '';
}
