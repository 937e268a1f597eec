import type { Shop } from '../../../src/schemas/app.js';
import type { Address } from '../../../src/console/web/app/address.js';
import { Chip } from '../../../src/console/web/shared/chip.js';
import { CsvLink } from '../../../src/console/web/shared/csv-link.js';
import { Pager } from '../../../src/console/web/shared/pager.js';
import { Search } from '../../../src/console/web/shared/search.js';
import { ShopChoice, UnknownShop } from '../../../src/console/web/shared/shop-choice.js';
import { SortHead } from '../../../src/console/web/shared/sort-head.js';
import { NEW_SOURCE, SourceFields } from '../../../src/console/web/shared/source-fields.js';
import { numbers, Table, words } from '../../../src/console/web/shared/table.js';
import { Component, State } from './state.js';

const at = (query: string): Address => ({
  place: { page: 'orders', shop: 'a' },
  path: '/shop/a/orders',
  query: new URLSearchParams(query),
});
const shop = (shop_id: string, closed_at: string | null): Shop => ({
  shop_id,
  keys: 1,
  platform: 'custom',
  currency: 'GBP',
  timezone: 'UTC',
  clock: { starts: [0], offsets: [0] },
  closed_at,
  alerts: [],
  has_orders: true,
});
const SHOPS = [shop('a', null), shop('b', '2026-01-01T00:00:00Z')];
const choose = (): void => undefined;
const SORTS = { unsorted: 'sort=time', falling: '', rising: 'order=asc' };

/** Lists, and what chooses their rows. */
export function Lists() {
  return (
    <>
      <Component of="table">
        {(['scrolls', 'folds'] as const).map((name) => (
          <State key={name} name={name}>
            <Table label={name} columns={[...words('Name'), ...numbers('Amount')]} folds={name === 'folds'}>
              <tr>
                <th scope="row">First</th>
                <td class="number">1</td>
              </tr>
            </Table>
          </State>
        ))}
      </Component>
      <Component of="sort-head">
        {Object.entries(SORTS).map(([name, query]) => (
          <State key={name} name={name}>
            <table>
              <thead>
                <tr>
                  <SortHead address={at(query)} label="Profit" sort="profit" usual="profit" />
                </tr>
              </thead>
            </table>
          </State>
        ))}
      </Component>
      <Component of="chip">
        {Object.entries({ off: '', on: 'loss=1' }).map(([name, query]) => (
          <State key={name} name={name}>
            <Chip address={at(query)} name="loss" label="Losses" />
          </State>
        ))}
      </Component>
      <Component of="pager">
        {Object.entries({ first: '', middle: 'cursor=x', last: 'cursor=y' }).map(([name, query]) => (
          <State key={name} name={name}>
            <Pager address={at(query)} next={name === 'last' ? undefined : 'z'} size={25}>
              Newest first
            </Pager>
          </State>
        ))}
      </Component>
      <Component of="search">
        {['', 'mug'].map((value) => (
          <State key={value} name={value === '' ? 'empty' : 'asked'}>
            <Search label={`Search, ${value}`} placeholder="Number" value={value} hrefOf={() => '/'} />
          </State>
        ))}
      </Component>
      <Component of="csv-link">
        <State name="link">
          <CsvLink shop="a" path="/v1/orders" />
        </State>
      </Component>
      <Component of="shop-choice">
        <State name="chosen">
          <ShopChoice shops={SHOPS} shop={shop('a', null)} choose={choose} />
        </State>
        <State name="unknown">
          <UnknownShop id="c" shops={SHOPS} choose={choose} />
        </State>
        <State name="no shop">
          <UnknownShop id="c" shops={[]} choose={choose} />
        </State>
      </Component>
      <Component of="source-fields">
        {['open', 'locked'].map((name) => (
          <State key={name} name={name}>
            <SourceFields draft={NEW_SOURCE} setDraft={() => undefined} isLocked={name === 'locked'} />
          </State>
        ))}
      </Component>
    </>
  );
}
