/** As much of Cube's driver as is used here. */
export interface CubeDriver {
  testConnection(): Promise<void>;
  tablesSchema(): Promise<Record<string, Record<string, { name: string; type: string }[]>>>;
  query(sql: string, values: unknown[]): Promise<Record<string, unknown>[]>;
  release(): Promise<void>;
}

/** Cube's own driver, for a user of the proxy of the BI tools. */
export async function cubeDriver(access: { port: number; username: string; password: string }): Promise<CubeDriver> {
  const name = '@cubejs-backend/clickhouse-driver';
  const { ClickHouseDriver } = (await import(name)) as { ClickHouseDriver: new (options: object) => CubeDriver };
  return new ClickHouseDriver({ host: '127.0.0.1', database: 'bi', readOnly: true, ...access });
}
