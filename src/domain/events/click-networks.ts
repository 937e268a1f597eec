import type { ClickKind, ORIGINS } from './networks.js';

/** Who adds a parameter to links, and what that says. */
export interface Issuer {
  /** `google`, `meta`, `microsoft`, `klaviyo`, … */
  readonly network: string;
  readonly kind: ClickKind;
  /** Whether the value identifies the person who clicked: then it is never stored, also not in the URL. */
  readonly personal: boolean;
}

/** A click id, or several of one network. */
interface KnownClickIds {
  readonly network: string;
  readonly kind: ClickKind;
  /** Names of parameters in lower case, separated by blanks. */
  readonly params: string;
  /** The value identifies the person who clicked. */
  readonly personal?: true;
  readonly from: keyof typeof ORIGINS;
  readonly on: string;
}

const own = { from: 'own', on: '2026-11-25' } as const;

export const CLICK_IDS: readonly KnownClickIds[] = [
  { network: 'google', kind: 'ad', params: 'gclid gbraid wbraid dclid gad_source', from: 'posthog', on: '2026-11-28' },
  { network: 'google', kind: 'ad', params: 'gad_campaignid', ...own },
  { network: 'microsoft', kind: 'ad', params: 'msclkid', from: 'posthog', on: '2026-11-28' },
  { network: 'tiktok', kind: 'ad', params: 'ttclid', from: 'posthog', on: '2026-11-28' },
  { network: 'x', kind: 'ad', params: 'twclid', from: 'posthog', on: '2026-11-28' },
  { network: 'linkedin', kind: 'ad', params: 'li_fat_id', from: 'posthog', on: '2026-11-28' },
  { network: 'snapchat', kind: 'ad', params: 'sccid', from: 'posthog', on: '2026-11-28' },
  { network: 'pinterest', kind: 'ad', params: 'epik', from: 'posthog', on: '2026-11-28' },
  { network: 'reddit', kind: 'ad', params: 'rdt_cid', from: 'posthog', on: '2026-11-28' },
  { network: 'yandex', kind: 'ad', params: 'yclid ymclid', ...own },
  { network: 'yahoo', kind: 'ad', params: 'vmcid yj_r', ...own },
  { network: 'quora', kind: 'ad', params: 'qclid', from: 'posthog', on: '2026-11-28' },
  { network: 'taboola', kind: 'ad', params: 'tblci', ...own },
  { network: 'outbrain', kind: 'ad', params: 'dicbo obclid', ...own },
  { network: 'criteo', kind: 'ad', params: 'cto_pld', ...own },
  { network: 'applovin', kind: 'ad', params: 'aleid', ...own },
  { network: 'baidu', kind: 'ad', params: 'bd_vid', ...own },
  { network: 'line', kind: 'ad', params: 'ldtag_cl', ...own },
  { network: 'adobe', kind: 'ad', params: 'ef_id s_kwcid', ...own },
  // `NaPm` is added to every click on an ad of Naver, the other one where the shop has switched tracking on.
  { network: 'naver', kind: 'ad', params: 'napm n_ad_group', from: 'naver', on: '2026-11-28' },
  { network: 'openai', kind: 'ad', params: 'oppref', from: 'openai', on: '2026-11-28' },
  { network: 'nextdoor', kind: 'ad', params: 'ndclid', from: 'nextdoor', on: '2026-11-28' },
  { network: 'seznam', kind: 'ad', params: 'sznclid', from: 'own', on: '2026-11-28' },
  { network: 'meta', kind: 'maybe_ad', params: 'fbclid', from: 'posthog', on: '2026-11-28' },
  { network: 'impact', kind: 'affiliate', params: 'irclid', from: 'posthog', on: '2026-11-28' },
  { network: 'impact', kind: 'affiliate', params: 'irclickid irgwc', ...own },
  { network: 'awin', kind: 'affiliate', params: 'awc zanpid', ...own },
  { network: 'cj', kind: 'affiliate', params: 'cjevent cjdata', ...own },
  { network: 'shareasale', kind: 'affiliate', params: 'sscid', ...own },
  { network: 'rakuten', kind: 'affiliate', params: 'ransiteid ranmid raneaid', ...own },
  { network: 'partnerize', kind: 'affiliate', params: 'clickref', ...own },
  { network: 'tradedoubler', kind: 'affiliate', params: 'tduid', ...own },
  { network: 'webgains', kind: 'affiliate', params: 'wgu', ...own },
  { network: 'refersion', kind: 'affiliate', params: 'rfsn', ...own },
  { network: 'google', kind: 'listing', params: 'srsltid', ...own },
  { network: 'mailchimp', kind: 'mail', params: 'mc_cid', from: 'posthog', on: '2026-11-28' },
  { network: 'hubspot', kind: 'mail', params: '_hsmi', ...own },
  { network: 'klaviyo', kind: 'mail', params: 'nb_klid', ...own },
  { network: 'vero', kind: 'mail', params: 'vero_conv', ...own },
  { network: 'mailchimp', kind: 'mail', params: 'mc_eid', personal: true, ...own },
  { network: 'klaviyo', kind: 'mail', params: '_kx', personal: true, from: 'posthog', on: '2026-11-28' },
  { network: 'klaviyo', kind: 'mail', params: '_ke', personal: true, ...own },
  { network: 'hubspot', kind: 'mail', params: '_hsenc', personal: true, ...own },
  { network: 'marketo', kind: 'mail', params: 'mkt_tok', personal: true, ...own },
  { network: 'vero', kind: 'mail', params: 'vero_id', personal: true, ...own },
  { network: 'convertkit', kind: 'mail', params: 'ck_subscriber_id', personal: true, ...own },
  { network: 'drip', kind: 'mail', params: '__s', personal: true, ...own },
  { network: 'mailerlite', kind: 'mail', params: 'ml_subscriber ml_subscriber_hash', personal: true, ...own },
  { network: 'omeda', kind: 'mail', params: 'oly_enc_id oly_anon_id', personal: true, ...own },
  { network: 'emarsys', kind: 'mail', params: 'sc_uid sc_eh', personal: true, ...own },
  { network: 'dotdigital', kind: 'mail', params: 'dm_i', personal: true, ...own },
  { network: 'omnisend', kind: 'mail', params: 'omnisendcontactid', personal: true, ...own },
  { network: 'salesforce', kind: 'mail', params: 'sfmc_sub et_rid', personal: true, ...own },
  { network: 'eloqua', kind: 'mail', params: 'elq elqtrackid', personal: true, ...own },
  { network: 'listrak', kind: 'mail', params: 'trk_contact', personal: true, ...own },
  { network: 'bronto', kind: 'mail', params: '_bta_tid', personal: true, ...own },
  { network: 'customerio', kind: 'mail', params: 'cio_id', personal: true, ...own },
  { network: 'wicked_reports', kind: 'mail', params: 'wickedid', personal: true, ...own },
  { network: 'meta', kind: 'share', params: 'igshid', personal: true, from: 'posthog', on: '2026-11-28' },
  { network: 'meta', kind: 'share', params: 'igsh', personal: true, ...own },
];

const issuers: ReadonlyMap<string, Issuer> = new Map(
  CLICK_IDS.flatMap(({ network, kind, params, personal = false }) =>
    params.split(' ').map((param) => [param, { network, kind, personal }] as const),
  ),
);

/** The names of all click ids. */
export function clickIdNames(): string[] {
  return [...issuers.keys()];
}

/** Who issues this parameter; undefined when it is no click id. `param` in lower case. */
export function issuerOf(param: string): Issuer | undefined {
  return issuers.get(param);
}
