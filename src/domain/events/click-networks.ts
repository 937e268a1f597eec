/**
 * What a click id tells. `ad`: a paid click. `maybe_ad`: the network adds it to every outgoing link, paid or not.
 * `affiliate`: a commissioned click. `listing`: an unpaid shopping result. `mail`: a mailing. `share`: a shared post.
 */
export type ClickKind = 'ad' | 'maybe_ad' | 'affiliate' | 'listing' | 'mail' | 'share';

/** Who adds a parameter to links, and what that says. */
export interface Issuer {
  /** `google`, `meta`, `microsoft`, `klaviyo`, … */
  readonly network: string;
  readonly kind: ClickKind;
  /** Whether the value identifies the person who clicked: then it is never stored, also not in the URL. */
  readonly personal: boolean;
}

const issuers = new Map<string, Issuer>();

function issue(kind: ClickKind, personal: boolean, table: Readonly<Record<string, string>>): void {
  for (const [network, params] of Object.entries(table)) {
    for (const param of params.split(' ')) issuers.set(param, { network, kind, personal });
  }
}

issue('ad', false, {
  google: 'gclid gbraid wbraid dclid gad_source gad_campaignid',
  microsoft: 'msclkid',
  tiktok: 'ttclid',
  x: 'twclid',
  linkedin: 'li_fat_id',
  snapchat: 'sccid',
  pinterest: 'epik',
  reddit: 'rdt_cid',
  yandex: 'yclid ymclid',
  yahoo: 'vmcid yj_r',
  quora: 'qclid',
  taboola: 'tblci',
  outbrain: 'dicbo obclid',
  criteo: 'cto_pld',
  applovin: 'aleid',
  baidu: 'bd_vid',
  line: 'ldtag_cl',
  adobe: 'ef_id s_kwcid',
});
issue('maybe_ad', false, { meta: 'fbclid' });
issue('affiliate', false, {
  impact: 'irclickid irgwc',
  awin: 'awc zanpid',
  cj: 'cjevent cjdata',
  shareasale: 'sscid',
  rakuten: 'ransiteid ranmid raneaid',
  partnerize: 'clickref',
  tradedoubler: 'tduid',
  webgains: 'wgu',
  refersion: 'rfsn',
});
issue('listing', false, { google: 'srsltid' });
issue('mail', false, { mailchimp: 'mc_cid', hubspot: '_hsmi', klaviyo: 'nb_klid', vero: 'vero_conv' });
issue('mail', true, {
  mailchimp: 'mc_eid',
  klaviyo: '_kx _ke',
  hubspot: '_hsenc',
  marketo: 'mkt_tok',
  vero: 'vero_id',
  convertkit: 'ck_subscriber_id',
  drip: '__s',
  mailerlite: 'ml_subscriber ml_subscriber_hash',
  omeda: 'oly_enc_id oly_anon_id',
  emarsys: 'sc_uid sc_eh',
  dotdigital: 'dm_i',
  omnisend: 'omnisendcontactid',
  salesforce: 'sfmc_sub et_rid',
  eloqua: 'elq elqtrackid',
  listrak: 'trk_contact',
  bronto: '_bta_tid',
  customerio: 'cio_id',
  wicked_reports: 'wickedid',
});
issue('share', true, { meta: 'igshid igsh' });

/** The names of all click ids. */
export function clickIdNames(): string[] {
  return [...issuers.keys()];
}

/** Who issues this parameter; undefined when it is no click id. `param` in lower case. */
export function issuerOf(param: string): Issuer | undefined {
  return issuers.get(param);
}
