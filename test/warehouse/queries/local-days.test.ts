import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const FOLDERS = ['src/warehouse', 'src/cli', 'workers', 'clickhouse'];
/** A function of a date with a zone as its last argument, other than UTC, or one that is about zones. */
const ZONE_FUNCTION =
  /\b(?:toDate(?:32)?|toDateTime(?:64)?|toStartOf\w+|toYYYYMM(?:DD)?|formatDateTime|toString)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*, *(?:\{\w+:String\}|zone\b|timezone\b|\(SELECT)|\b(?:toTimezone|timezoneOffset|timeZoneOffset|toUTCTimestamp|fromUTCTimestamp)\(/i;

describe('the SQL of the service', () => {
  it('asks the engine for no time zone: its release is another than that of the service', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    ).filter((file) => /\.(?:ts|sql|yml|json)$/.test(file));
    expect(files.length).to.be.greaterThan(150);
    expect(files.filter((file) => ZONE_FUNCTION.test(readFileSync(file, 'utf8')))).to.deep.equal([]);
    for (const sql of ['toDate(first_at, {zone:String})', 'toDate(now(), (SELECT zone FROM sources))'])
      expect(ZONE_FUNCTION.test(sql), sql).to.equal(true);
  });
});
