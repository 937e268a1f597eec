import type { Request } from 'express';

/** An IPv4 address, or the 64 bits of an IPv6 address that one subscriber has. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // IPv4 in the form of IPv6, as a server that listens on both sees it.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - end.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...end].slice(0, 4).join(':');
}

/** The same, but of IPv4 the 256 addresses that one tenant of a data centre may have. */
export function neighbours(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? network : network.split('.', 3).join('.');
}

/** By which the app counts tries: a client that has an address has its neighbours as well. */
export const networkOfClient = (req: Request): string => neighbours(req.ip ?? 'unknown');
