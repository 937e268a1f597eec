import { expect } from 'chai';
import { requireOneOrder, type Lists } from '../../../src/warehouse/cluster/one-order.js';
import { ClusterError } from '../../../src/warehouse/migrations/cluster.js';

/** The server `name`, which lists shards of one server each in this order and itself by another name. */
const listing = (name: string, order: readonly string[]): Lists => ({
  name,
  places: order.map((host, i) => ({
    cluster: 'shards',
    shard: i + 1,
    replica: 1,
    isLocal: host === name,
    port: 9000,
    ...(host === name ? { host: 'localhost', address: '127.0.0.1' } : { host, address: `10.0.0.${host}` }),
  })),
});

describe('the order in which servers list each other', () => {
  it('is one and the same, whatever a server calls itself', () => {
    requireOneOrder(['1', '2', '3'].map((name) => listing(name, ['1', '2', '3'])));
  });

  it('may be told by other names of the same addresses', () => {
    const [one, two] = ['1', '2'].map((name) => listing(name, ['1', '2', '3']));
    const places = (two?.places ?? []).map((place) => ({ ...place, host: `${place.host}.internal` }));
    requireOneOrder([one ?? listing('1', []), { name: '2', places }]);
  });

  for (const [what, orders] of [
    [
      'the last one',
      [
        ['1', '2', '3'],
        ['1', '2', '3'],
        ['2', '1', '3'],
      ],
    ],
    [
      'the one in the middle',
      [
        ['1', '2', '3'],
        ['3', '2', '1'],
        ['1', '2', '3'],
      ],
    ],
  ] as const)
    it(`is refused where ${what} has two others in each other's place`, () => {
      const lists = orders.map((order, i) => listing(String(i + 1), order));
      expect(() => requireOneOrder(lists))
        .to.throw(ClusterError)
        .with.property('message')
        .that.matches(/^the servers differ about "shards": in shard \d, place 1, \d has \d:9000 and \d has \d:9000; /);
    });
});
