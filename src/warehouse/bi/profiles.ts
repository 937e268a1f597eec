import { ANSWER_SETTINGS } from './answer-settings.js';
import { BI_PROFILE, BI_READER, type BiRows } from './access.js';

/** Settings and limits of BI users, said once as `access.ts` says who may see what. */

/** A setting of a profile; one that is not changeable is as given, whatever a client says. */
export interface ProfileSetting {
  name: string;
  /** The engine's default when absent. */
  value?: string;
  changeable?: boolean;
  /** Bounds of a change. 0 means "no limit" to the engine, so limits have a `min` too. */
  min?: string;
  max?: string;
}

export interface SettingsProfile {
  name: string;
  settings: readonly ProfileSetting[];
}

const limit = (name: string, value: string, max = value): ProfileSetting => ({
  name,
  value,
  max,
  min: '1',
  changeable: true,
});

const GIB = 1024 ** 3;
/** The longest limit of time that a user may set. */
const BI_MAX_SECONDS = 120;
/** What one query may read in all. */
export const BI_MOST_ROWS = 2_000_000_000;
export const BI_MOST_BYTES = 200 * GIB;
const LIMITS: readonly ProfileSetting[] = [
  limit('max_execution_time', '60', String(BI_MAX_SECONDS)),
  limit('max_memory_usage', String(2 * GIB)),
  // No one changes these two: a lower one tells how many rows of other shops are next to the own ones.
  { name: 'max_rows_to_read', value: String(BI_MOST_ROWS) },
  { name: 'max_bytes_to_read', value: String(BI_MOST_BYTES) },
  limit('max_threads', '4'),
];
const RESULT_LIMITS: readonly ProfileSetting[] = [
  limit('max_result_rows', '10000000'),
  limit('max_result_bytes', String(2 * GIB)),
];
/**
 * Where there are shards no one changes these: a view lifts them for what it reads, and a server that is asked for that
 * would take the least that it may have instead of "no limit". A view that joins tables joins them on each shard, which has all rows
 * of its shops.
 */
const resultLimits = (isSharded: boolean): readonly ProfileSetting[] =>
  isSharded
    ? [
        ...RESULT_LIMITS.map(({ name, value = '' }) => ({ name, value })),
        { name: 'distributed_product_mode', value: 'local' },
      ]
    : RESULT_LIMITS;

/** What clients set by themselves or users may want: transport, meaning of NULL in their own query. */
const HARMLESS = [
  // The engine's own page /play sends these seven.
  'add_http_cors_header',
  'enable_reads_from_query_cache',
  'enable_writes_to_query_cache',
  'query_cache_nondeterministic_function_handling',
  'query_cache_system_table_handling',
  'query_cache_ttl',
  'use_query_cache',
  'aggregate_functions_null_for_empty',
  'any_join_distinct_right_table_keys',
  'cancel_http_readonly_queries_on_client_close',
  'cast_keep_nullable',
  'connect_timeout',
  'connect_timeout_with_failover_ms',
  'count_distinct_implementation',
  'enable_http_compression',
  'extremes',
  'http_headers_progress_interval_ms',
  'http_make_head_request',
  'http_receive_timeout',
  'http_response_buffer_size',
  'http_send_timeout',
  'http_wait_end_of_query',
  'http_write_exception_in_output_format',
  'http_zlib_compression_level',
  'interactive_delay',
  'limit',
  'load_balancing',
  'log_comment',
  'log_queries',
  'max_block_size',
  'network_compression_method',
  'network_zstd_compression_level',
  'offset',
  'prefer_column_name_to_alias',
  'receive_timeout',
  'send_progress_in_http_headers',
  'send_timeout',
  'session_timezone',
  'totals_mode',
  'union_default_mode',
  'use_client_time_zone',
];

/** Name of the workload of every BI query, on the embedded engine of those of the users. */
export const BI_WORKLOAD = 'bi';
export const CPU_RESOURCE = 'CREATE RESOURCE IF NOT EXISTS cpu (MASTER THREAD, WORKER THREAD)';

/** What is in the settings of every query of a BI user, unless a client has taken it out with `= DEFAULT`. */
export const BI_LIMITS: readonly string[] = ['readonly', ...[...LIMITS, ...RESULT_LIMITS].map(({ name }) => name)];
/** Seconds after which a BI query has outlived every limit. */
export const BI_LONGEST_SECONDS = BI_MAX_SECONDS + 10;

/** Seconds by which a query in `system.processes` has outlived its limit of time; without one, the longest that a user may have. */
export const OVERDUE_SECONDS = `(elapsed - if(mapContains(Settings, 'max_execution_time'), toFloat64(Settings['max_execution_time']), ${BI_MAX_SECONDS}))`;

const changeable = (name: string): ProfileSetting => ({ name, changeable: true });

/**
 * `readonly` 1: nothing is written, and only what is listed as changeable can be changed. Where a profile is written out,
 * every other setting is made constant too (`closedProfile`): `SET readonly = DEFAULT` passes all checks of the engine.
 */
export const biProfiles = ({ isSharded = false }: Pick<BiRows, 'isSharded'>): readonly SettingsProfile[] => [
  {
    name: BI_PROFILE,
    settings: [
      { name: 'readonly', value: '1' },
      { name: 'allow_ddl', value: '0' },
      { name: 'allow_introspection_functions', value: '0' },
      { name: 'output_format_json_quote_decimals', value: '1', changeable: true },
      { name: 'max_concurrent_queries_for_user', value: '20' },
      { name: 'max_memory_usage_for_user', value: String(3 * GIB) },
      { name: 'max_temporary_data_on_disk_size_for_user', value: String(20 * GIB) },
      { name: 'max_query_size', value: '1048576' },
      { name: 'workload', value: BI_WORKLOAD },
      // A LEFT JOIN without a match gives NULL, not 0 and 1970-01-01.
      { name: 'join_use_nulls', value: '1', changeable: true },
      // The key of a total is NULL, not '' and 1970-01-01.
      { name: 'group_by_use_nulls', value: '1', changeable: true },
      // Groups and sorts go to disk before they reach the limit of memory.
      { name: 'max_bytes_before_external_group_by', value: String(GIB) },
      { name: 'max_bytes_before_external_sort', value: String(GIB) },
      // Queries of the service go first. The engine ignores it where it lacks CAP_SYS_NICE.
      { name: 'os_threads_nice_value_query', value: '15' },
      // Under this optimization a view fails for conditions such as `status != ''`: UNKNOWN_IDENTIFIER status.size.
      { name: 'optimize_functions_to_subcolumns', value: '0' },
      // The compiler of many patterns (`multiMatch…`) looks at no limit of time.
      { name: 'allow_hyperscan', value: '0' },
      // They count rows of other shops next to the own ones.
      { name: 'output_format_write_statistics', value: '0' },
      // Cached answers are the user's own.
      { name: 'query_cache_share_between_users', value: '0' },
      ...LIMITS,
      ...resultLimits(isSharded),
      ...HARMLESS.map(changeable),
      ...Object.entries(ANSWER_SETTINGS).map(([name, { min, max }]) => ({
        ...changeable(name),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
      })),
    ],
  },
  {
    // What a view takes over from its caller. Limits stand here again, since reading a table counts by the reader's own.
    name: BI_READER,
    settings: [{ name: 'readonly', value: '1' }, ...LIMITS, ...resultLimits(isSharded), changeable('max_block_size')],
  },
];

/** Limits over an hour, for dashboards that refresh without end. */
export const BI_QUOTA = { name: BI_PROFILE, seconds: 3_600, queries: 20_000, executionSeconds: 3_600 } as const;

/** The profile with every setting of the engine that it does not name as constant; what the engine does not know is left out. */
export function closedProfile(profile: SettingsProfile, engineSettings: readonly string[]): SettingsProfile {
  const known = new Set(engineSettings);
  const named = new Set(profile.settings.map(({ name }) => name));
  return {
    name: profile.name,
    settings: [
      ...profile.settings.filter(({ name }) => known.has(name)),
      ...engineSettings.filter((name) => !named.has(name)).map((name) => ({ name })),
    ],
  };
}
