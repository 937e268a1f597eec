/**
 * Who may see what through the database `bi`, said once: the users file of the embedded engine and the SQL of a server are
 * both written from this.
 *
 * Every view of `bi` runs as the user {@link BI_READER}, which no one can sign in as. It reads the tables below and nothing
 * else, and of those only the rows of the shop that is in `bi_users` next to the name of who signed in: a row filter of
 * the storage, applied before any condition of a query. Nothing that a query can say changes that name. Settings would not
 * do: the engine checks changes of them at the top of a query alone, and takes any from a `SETTINGS` clause further in. For
 * somebody without a row there the filter finds no shop, so a mistake shows nothing.
 */

/** Owner of all views. */
export const BI_READER = 'bi_reader';
export const BI_DATABASE = 'bi';
/** Begins the name of every BI user, and of no one else but the owner of the views. */
export const BI_PREFIX = 'bi_';
/** Settings profile and quota of every BI user. */
export const BI_PROFILE = 'bi';
/** The table of the service's own database that names the shop of each BI user. */
export const BI_USERS = 'bi_users';

/** The tables that the views read, all of which have a `shop_id`. */
export const READER_TABLES = [
  'orders',
  'order_days',
  'order_facts',
  'daily_orders',
  'product_costs',
  'order_costs',
  'rates',
  'gateway_fee_rules',
  'expenses',
  'ad_spend',
  'ad_spend_clears',
  'events',
  'visitor_events',
  'order_attribution',
  'daily_products',
  'daily_orders_history',
  'day_causes',
  'sources',
  'ingest_log',
] as const;

/** Views that other views read. */
const READER_VIEWS = ['ad_spend', 'daily_products', 'order_profit'] as const;

/**
 * On shards the rows of a view lie on several servers. Each has the views {@link BI_LOCAL}, which show the rows of that server
 * and are held to one shop there, as the views of `bi` are on a single server; the tables of {@link BI_SHARDS} join those of
 * all servers, and the views of `bi` read them. One server asks another as who signed in, not as the owner of the views.
 */
export const BI_LOCAL = 'bi_local';
export const BI_SHARDS = 'bi_shards';

/** Where the rows of the views are: in the database of the service's own tables, `isSharded` where that is one of many. */
export interface BiRows {
  database: string;
  isSharded?: boolean;
}

/** Grants of the owner of the views. */
export const readerGrants = ({ database, isSharded = false }: BiRows): string[] =>
  [
    `${database}.${BI_USERS}`,
    ...READER_VIEWS.map((view) => `${BI_DATABASE}.${view}`),
    ...READER_TABLES.map((table) => `${database}.${table}`),
    ...(isSharded ? [`${BI_LOCAL}.*`, `${BI_SHARDS}.*`] : []),
  ].map((place) => `GRANT SELECT ON ${place}`);

/**
 * The rows that a BI user sees of a table. The look-up is a scalar, so the engine makes it once a query, as it plans, and
 * reads by the primary key of what it finds. A user that was taken away has the shop '', which no row has.
 */
export const shopFilter = ({ database, isSharded = false }: BiRows): string =>
  `shop_id = (SELECT argMax(if(u.is_deleted, '', u.shop_id), u.version) FROM ${database}.${BI_USERS} AS u ` +
  `WHERE u.user_name = ${isSharded ? SIGNED_IN_ANYWHERE : SIGNED_IN})`;

const SIGNED_IN = 'authenticatedUser()';
/** No one has signed in at a server that is asked by another: there the user is the one for whom it was asked. */
const SIGNED_IN_ANYWHERE = `if(${SIGNED_IN} = '', currentUser(), ${SIGNED_IN})`;

/** What a client needs to find its way: of the tables here everybody sees only what the own grants reach. */
const CATALOGUE = [
  'system.one',
  'system.databases',
  'system.tables',
  'system.columns',
  // Tables of information_schema look here; of the tables behind the views it shows nothing.
  'system.parts',
  'system.settings',
  'system.functions',
  'system.formats',
  'system.data_type_families',
  'system.table_functions',
  'system.table_engines',
  'system.collations',
  'system.time_zones',
  'information_schema.*',
  'INFORMATION_SCHEMA.*',
] as const;

/** Grants of a BI user. */
export const BI_GRANTS: readonly string[] = [`${BI_DATABASE}.*`, ...CATALOGUE].map(
  (place) => `GRANT SELECT ON ${place}`,
);

/** A grant that it needs besides them where there are shards. */
export const BI_LOCAL_GRANT = `GRANT SELECT ON ${BI_LOCAL}.*`;
