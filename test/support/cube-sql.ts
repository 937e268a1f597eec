interface Member {
  name: string;
  sql?: string;
  type: string;
  filters?: { sql: string }[];
}

export interface CubeModel {
  cubes: { name: string; sql_table?: string; sql?: string; dimensions: Member[]; measures: Member[] }[];
}

export interface CubeQuery {
  measures: readonly string[];
  dimensions?: readonly string[];
  /** Time dimension, by month. */
  month?: string;
  /** Time dimension that the range is of. */
  within: string;
  range: readonly [from: string, to: string];
}

/** Statement and parameters that Cube makes of a query, in the dialect of its query class for ClickHouse. */
export function cubeSql(model: CubeModel, name: string, query: CubeQuery): [sql: string, params: string[]] {
  const cube = model.cubes.find((one) => one.name === name);
  if (cube === undefined) throw new Error(`there is no cube ${name}`);
  const alias = `\`${name}\``;
  const find = (members: readonly Member[], member: string): Member => {
    const found = members.find((one) => one.name === member);
    if (found === undefined) throw new Error(`${name} has no member ${member}`);
    return found;
  };
  const column = (sql = ''): string => sql.replaceAll('{CUBE}', alias);
  const dimension = (member: string): string => column(find(cube.dimensions, member).sql);
  const measure = (member: string): string => {
    const { sql, type, filters = [] } = find(cube.measures, member);
    if (type === 'number') return column(sql).replace(/\{(\w+)\}/g, (_, other: string) => measure(other));
    const counted = cube.dimensions.find((one) => 'primary_key' in one);
    const of = type === 'count' ? column(counted?.sql) : column(sql);
    const kept = filters.map((filter) => `(${column(filter.sql)})`).join(' AND ');
    return `${type}(${kept === '' ? of : `CASE WHEN ${kept} THEN ${of} END`})`;
  };
  const as = (member: string): string => `\`${name}__${member}\``;
  const month = (member: string): string =>
    `toDateTime64(toStartOfMonth(toTimeZone(toDateTime64(${dimension(member)}, 0), 'UTC'), 'UTC'), 0, 'UTC')`;
  const keys = [
    ...(query.month === undefined ? [] : [[month(query.month), as(query.month)]]),
    ...(query.dimensions ?? []).map((member) => [dimension(member), as(member)]),
  ];
  const columns = [...keys, ...query.measures.map((member) => [measure(member), as(member)])];
  const groups = keys.length === 0 ? '' : ` GROUP BY ${keys.map(([, key]) => key).join(', ')}`;
  const day = dimension(query.within);
  const [from, to] = query.range;
  return [
    `SELECT ${columns.map((pair) => pair.join(' ')).join(', ')} FROM ${cube.sql_table ?? `(${cube.sql ?? ''})`} AS ${alias}` +
      ` WHERE (${day} >= parseDateTimeBestEffort(?) AND ${day} <= parseDateTimeBestEffort(?))${groups}`,
    [`${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`],
  ];
}
