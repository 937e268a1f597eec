import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

export interface Address {
  address: string;
  family: number;
}
/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Longest wait for an answer of a server, and how often it is asked. */
const ASKING = { timeout: 2_000, tries: 2 };
/** No server is to be asked for it (RFC 6761). */
const LOCAL = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks DNS. `lookup` of the system would take a thread of the process for as long as a server is silent, one of those in which passwords
 * are hashed and files read; so names of the hosts file of this machine are not known.
 *
 * @param servers in the place of those of the system
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (host) => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (/^(?:.+\.)?localhost\.?$/i.test(host)) return LOCAL;
    const resolver = new Resolver(ASKING);
    if (servers !== undefined) resolver.setServers(servers);
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
      ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return found;
  };
}

export const resolveHost: Resolve = createResolve();

/** What no one but this network, this machine or a tunnel out of it answers at. */
const CLOSED_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3';
/** Global addresses alone are open, without those that hold an address of IPv4, which may be a private one. */
const OPEN_IPV6 = '2000::/3';
const CLOSED_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const listOf = (ranges: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of ranges.split(' ')) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};
const closedIpv4 = listOf(CLOSED_IPV4, 'ipv4');
const openIpv6 = listOf(OPEN_IPV6, 'ipv6');
const closedIpv6 = listOf(CLOSED_IPV6, 'ipv6');

/** Whether an address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !closedIpv4.check(address, 'ipv4');
  return openIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
}
