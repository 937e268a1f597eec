/** How tools connect, in the words of their own forms; host, port, user and password are those that were printed. */
export const BI_RECIPES: readonly { tool: string; steps: readonly string[] }[] = [
  {
    tool: 'Grafana',
    steps: [
      'Install the data source "ClickHouse" (grafana-clickhouse-datasource) and add a connection of it.',
      'Server address: the host. Server port: the port, protocol HTTP; or the native port, protocol Native, where one is printed.',
      'Username and password as printed. Default database: bi. Keep the query timeout at 60 s or below.',
      'Import grafana.json, a dashboard of seven panels. Its time zone is UTC, since days are those of the shop already.',
      'A panel over time: SELECT day AS time, net_profit FROM bi.daily_metrics WHERE $__dateFilter(on_day) ORDER BY time',
      'Filter by on_day: where day is truncated and named day again, a filter of day would mean the truncated one.',
      'What a figure changed in the range is the calculation Difference: Delta takes each fall for a counter that begins again at 0.',
    ],
  },
  {
    tool: 'Metabase',
    steps: [
      'Add a database of the type ClickHouse.',
      'Host and port, username and password as printed. Databases: bi.',
      'Leave "Use a secure connection" off unless a proxy with TLS stands in front of the server.',
      'Field types come from the columns. Group by day, and filter by on_day.',
      'Join views of orders by placed_day and order_id, with the days on both sides: they are stored by day.',
    ],
  },
  {
    tool: 'Superset',
    steps: [
      'Install the driver: pip install clickhouse-connect.',
      'Add a database with the address clickhousedb+connect://USER:PASSWORD@HOST:PORT/bi.',
      'Add views as datasets, with on_day as the main date column, and sums of the money columns as metrics.',
    ],
  },
  {
    tool: 'Cube',
    steps: [
      'CUBEJS_DB_TYPE=clickhouse, CUBEJS_DB_HOST, CUBEJS_DB_PORT, CUBEJS_DB_NAME=bi, CUBEJS_DB_USER and CUBEJS_DB_PASS as printed.',
      'CUBEJS_DB_CLICKHOUSE_READONLY=true: the user cannot write, so pre-aggregations are kept in Cube Store.',
      'Put cube.yml into the folder model: cubes of metrics, orders, channels and products. Queries keep the time zone UTC.',
      'Its own client shows 0 where a measure has no value, as ROAS of a day without ads: read rawData(), or say fillWithValue.',
    ],
  },
  {
    tool: 'dbt',
    steps: [
      'Put sources.yml into the folder models: models then read the views as source("bi", "daily_metrics").',
      'The user cannot write: keep models ephemeral, or copy the views into a database of your own first.',
    ],
  },
  {
    tool: 'SQL and code',
    steps: [
      'Where a native port is printed: clickhouse-client --host HOST --port NATIVE_PORT --user USER --password PASSWORD --database bi',
      "curl --user USER:PASSWORD 'http://HOST:PORT/?database=bi' --data-binary 'SELECT * FROM daily_metrics FORMAT JSONEachRow'",
      'In a browser: http://HOST:PORT/play takes user, password and a query.',
      'In charts, show profit by channel or product as bars from zero: shares of 100 % hide a loss, or turn the signs where losses are larger.',
    ],
  },
];
