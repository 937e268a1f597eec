import type { QueryParams, Warehouse } from '../client.js';

/** One query as a value: its text depends on nothing but its arguments. */
export interface Query {
  sql: string;
  params: QueryParams;
}

/** Gives the rows of a query. */
type AskRows = <Row>(query: Query) => Promise<Row[]>;

export const asking =
  (warehouse: Warehouse): AskRows =>
  <Row>({ sql, params }: Query) =>
    warehouse.query<Row>(sql, params);
