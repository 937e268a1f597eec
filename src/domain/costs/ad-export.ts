import { isCurrency } from '../currency.js';
import type { CsvRecord } from '../csv/dialect.js';
import { readCsv } from '../csv/read-csv.js';
import { SEPARATORS } from '../csv/dialect.js';

/** Fields of a row of ad spend that an export fills. */
export const EXPORT_FIELDS = [
  'event_date',
  'spend',
  'currency',
  'campaign_id',
  'campaign_name',
  'adset_id',
  'adset_name',
  'ad_id',
  'ad_name',
] as const;
export type ExportField = (typeof EXPORT_FIELDS)[number];

type Names = Partial<Record<ExportField | 'until', readonly string[]>>;

/** A network whose exports are known by their own headers, in lower case. `until`: the last day of a line, where it may have several. */
interface Network {
  name: string;
  /** The channel that its rows get, under which orders of its clicks are attributed. */
  channel: string;
  /** Headers that no other network's export has; one of them is enough. */
  signs: readonly RegExp[];
  names: Names;
}

const META: Network = {
  name: 'Meta',
  channel: 'Meta Ads',
  signs: [/^amount spent( \([a-z]{3}\))?$/],
  names: {
    event_date: ['day', 'reporting starts', 'date'],
    until: ['reporting ends'],
    spend: ['amount spent'],
    currency: ['currency'],
    campaign_id: ['campaign id'],
    campaign_name: ['campaign name', 'campaign'],
    adset_id: ['ad set id'],
    adset_name: ['ad set name'],
    ad_id: ['ad id'],
    ad_name: ['ad name'],
  },
};
const PINTEREST: Network = {
  name: 'Pinterest',
  channel: 'Pinterest Ads',
  signs: [/^spend in account currency$/, /^(pin clicks|pin id|promoted pin id)$/],
  names: {
    event_date: ['date', 'day'],
    spend: ['spend in account currency', 'spend'],
    currency: ['currency', 'account currency', 'advertiser currency'],
    campaign_id: ['campaign id'],
    campaign_name: ['campaign name'],
    adset_id: ['ad group id'],
    adset_name: ['ad group name'],
    ad_id: ['ad id', 'promoted pin id', 'pin promotion id'],
    ad_name: ['ad name', 'promoted pin name'],
  },
};
const TIKTOK: Network = {
  name: 'TikTok',
  channel: 'TikTok Ads',
  signs: [/^by day$/, /^stat_time_day$/, /^clicks \(destination\)$/, /^cpc \(destination\)$/],
  names: {
    event_date: ['by day', 'date', 'day', 'stat_time_day'],
    spend: ['cost', 'total cost', 'spend'],
    currency: ['currency'],
    campaign_id: ['campaign id'],
    campaign_name: ['campaign name'],
    adset_id: ['ad group id'],
    adset_name: ['ad group name'],
    ad_id: ['ad id'],
    ad_name: ['ad name'],
  },
};
const GOOGLE: Network = {
  name: 'Google',
  channel: 'Google Ads',
  signs: [/^impr\.$/, /^currency code$/, /^conv\. value$/, /^avg\. cpc$/],
  names: {
    event_date: ['day', 'date'],
    spend: ['cost'],
    currency: ['currency code', 'currency'],
    campaign_id: ['campaign id'],
    campaign_name: ['campaign', 'campaign name'],
    adset_id: ['ad group id'],
    adset_name: ['ad group', 'ad group name'],
    ad_id: ['ad id'],
    ad_name: ['ad name'],
  },
};
const NETWORKS = [META, PINTEREST, TIKTOK, GOOGLE];

/** How the columns of an export are read. */
export interface AdExport {
  network: string;
  channel: string;
  /** Columns that are read, by field, as the file names them. */
  columns: readonly { field: ExportField; header: string; place: number }[];
  /** Place of the last day of a line; null: its lines have one day. */
  until: number | null;
  /** That a header names, as “Amount spent (EUR)” does; null: a column has it, or nothing. */
  currency: string | null;
  /** Columns that are not read. */
  unread: readonly string[];
  /** Lines below the header. */
  records: readonly CsvRecord[];
}

/** Title lines that may stand before the header. */
const MOST_TITLES = 20;
const CURRENCY_IN_HEADER = /\s*\(([a-z]{3})\)$/i;

/** A header without its currency, in lower case. */
const plain = (header: string): string => header.replace(CURRENCY_IN_HEADER, '').toLowerCase().replace(/\s+/g, ' ');

/**
 * Reads a file as the export of an ad network, wherever its header is and whatever its separator. A text says what is wrong with the
 * file; null: no line of it is the header of such an export.
 */
export function readAdExport(file: string | null, mostLines?: number): AdExport | string | null {
  let fault: string | null = null;
  for (const separator of [undefined, ...SEPARATORS]) {
    const records = readCsv(file, { separator, ...(mostLines !== undefined && { mostLines }) });
    if (typeof records === 'string') {
      fault ??= records;
      continue;
    }
    for (const [i, { fields }] of records.slice(0, MOST_TITLES).entries()) {
      const found = ofHeader(fields);
      if (found !== null) return { ...found, records: records.slice(i + 1) };
    }
  }
  return fault;
}

function ofHeader(headers: readonly string[]): Omit<AdExport, 'records'> | null {
  const names = headers.map(plain);
  const lower = headers.map((header) => header.toLowerCase());
  const network = NETWORKS.find(({ signs }) => lower.some((header) => signs.some((sign) => sign.test(header))));
  if (network === undefined) return null;
  const placeOf = (field: keyof Names): number =>
    (network.names[field] ?? []).map((name) => names.indexOf(name)).find((place) => place >= 0) ?? -1;
  if (placeOf('event_date') < 0 || placeOf('spend') < 0) return null;
  const columns = EXPORT_FIELDS.flatMap((field) => {
    const place = placeOf(field);
    return place < 0 ? [] : { field, header: headers[place] ?? '', place };
  });
  const named = CURRENCY_IN_HEADER.exec(headers[placeOf('spend')] ?? '')?.[1]?.toUpperCase();
  const isByDay = names[placeOf('event_date')] !== 'reporting starts';
  const until = isByDay ? -1 : placeOf('until');
  const read = new Set([...columns.map(({ place }) => place), placeOf('until')]);
  return {
    network: network.name,
    channel: network.channel,
    columns,
    until: until < 0 ? null : until,
    currency: named !== undefined && isCurrency(named) ? named : null,
    unread: headers.filter((header, i) => header !== '' && !read.has(i)),
  };
}
