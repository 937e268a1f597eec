import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import { unavailable } from '../../src/errors.js';
import { isAccessRefused, isAnswered, isDataError, isRefused, toUnavailable } from '../../src/warehouse/failures.js';

const ofInsert = (error: Error): Error => toUnavailable(error, { isInsert: true });
const told = (code: number): Error => new ClickHouseError({ message: 'no', code: String(code), type: 'NO' });
const refusal = (code: number): Error => ofInsert(told(code));

describe('failures of the warehouse', () => {
  const data: [number, string][] = [
    [6, 'text that is no number'],
    [26, 'a quote that is missing'],
    [27, 'input that does not parse'],
    [33, 'rows that are cut off'],
    [41, 'a time that does not parse'],
    [53, 'a type that does not fit'],
    [69, 'an argument out of its bounds'],
    [117, 'data of a wrong form'],
    [321, 'null where none may be'],
    [407, 'a decimal that overflows'],
  ];
  const passing: [number, string][] = [
    [159, 'a time-out'],
    [164, 'a server that only reads'],
    [236, 'an insert that was stopped'],
    [241, 'the limit of memory'],
    [394, 'a query that was stopped'],
  ];

  for (const [code, what] of data) {
    it(`are the fault of the rows for ${what} (${code})`, () => {
      expect(isDataError(refusal(code))).to.equal(true);
      expect(isAnswered(refusal(code))).to.equal(true);
    });
    it(`pass for a query that says so (${code}): stored data may be damaged until the engine starts anew`, () => {
      const found = toUnavailable(told(code), { isInsert: false });
      expect([isDataError(found), isAnswered(found), isRefused(found)]).to.deep.equal([false, true, true]);
    });
  }
  for (const [code, what] of passing) {
    it(`pass for ${what} (${code}), though a single job may be at fault`, () => {
      expect(isDataError(refusal(code))).to.equal(false);
      expect(isRefused(refusal(code))).to.equal(true);
    });
  }

  const ofServers: [number, string][] = [
    [60, 'a table that is missing'],
    [81, 'a database that is missing'],
    [202, 'too many queries at once'],
    [209, 'a server that is too busy to greet another'],
    [210, 'the network between servers'],
    [225, 'Keeper that is away'],
    [242, 'a table that only reads, since Keeper is away'],
    [243, 'a full disk'],
    [252, 'too many parts'],
    [279, 'a shard that is away'],
    [285, 'replicas that are away'],
    [286, 'replicas that lack the write before'],
    [319, 'a write whose end is unknown'],
    [999, 'Keeper'],
  ];
  for (const [code, what] of ofServers) {
    it(`are no refusal of the statement for ${what} (${code})`, () => {
      const found = refusal(code);
      expect([isDataError(found), isAnswered(found), isRefused(found)]).to.deep.equal([false, true, false]);
    });
  }

  it('are nobody’s fault when no server answered', () => {
    const away = unavailable('store_unavailable', 'Away.', new Error('ECONNREFUSED'));
    expect([isDataError(away), isAnswered(away), isAccessRefused(away)]).to.deep.equal([false, false, false]);
    expect(isDataError(ofInsert(new Error('code: 27')))).to.equal(false);
  });

  it('are not the fault of rows whose insert a dying shard cut off', () => {
    const cut = ofInsert(
      new ClickHouseError({
        message:
          'Attempt to read after eof: while receiving packet from shard-2:9000: Insertion status: Wrote 1 blocks',
        code: '32',
        type: 'ATTEMPT_TO_READ_AFTER_EOF',
      }),
    );
    expect([isDataError(cut), isAnswered(cut)]).to.deep.equal([false, true]);
    const message =
      'Received from shard-2:9000. DB::Exception: Decimal overflow: while pushing: Insertion status: Wrote 0 blocks';
    const overflow = new ClickHouseError({ message, code: '407', type: 'DECIMAL_OVERFLOW' });
    expect(isDataError(ofInsert(overflow))).to.equal(true);
  });

  it('are not the fault of rows behind which a view reads a damaged part', () => {
    const message =
      "Empty marks file '/data/all_1_55_11/data.cmrk4': 0, must be: 400: (while reading from part /data/all_1_55_11/ in " +
      'table profit.settings_history): while pushing to view profit.settings_history_feed';
    const damaged = ofInsert(new ClickHouseError({ message, code: '246', type: 'CORRUPTED_DATA' }));
    expect([isDataError(damaged), isRefused(damaged)]).to.deep.equal([false, true]);
  });

  it('are told as a want of rights for the three codes that say so', () => {
    expect([192, 497, 514, 27].map((code) => isAccessRefused(refusal(code)))).to.deep.equal([true, true, true, false]);
  });
});
