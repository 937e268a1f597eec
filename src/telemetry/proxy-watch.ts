import { BlockList, isIPv6 } from 'node:net';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

export interface ProxyWatch {
  trustedProxies: number;
  log: Logger;
  register: Registry;
  now?: () => number;
}

/** Between two warnings of one kind. */
const WARN_MS = 3_600_000;
/** Orchestrators ask these without a proxy. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Counts requests that do not fit TRUSTED_PROXIES, and warns of them. A proxy that is not trusted makes all visitors one address
 * for the limits; one that is trusted but not there lets each client choose its address.
 */
export function watchProxies(server: Server, { trustedProxies, log, register, now = Date.now }: ProxyWatch): void {
  const untrusted = { kind: 'untrusted', requests: 0, warnAt: 0 };
  const missing = { kind: 'missing', requests: 0, warnAt: 0 };
  new Counter({
    name: 'profit_proxy_mismatches_total',
    help: 'Requests that do not fit TRUSTED_PROXIES: through a proxy that is not trusted, or without one that is',
    labelNames: ['kind'],
    registers: [register],
    collect() {
      this.reset();
      for (const { kind, requests } of [untrusted, missing]) this.inc({ kind }, requests);
    },
  });
  const note = (mismatch: typeof missing, warning: () => string): void => {
    mismatch.requests++;
    if (now() < mismatch.warnAt) return;
    mismatch.warnAt = now() + WARN_MS;
    log.warn(warning());
  };
  // A look at the networks takes some microseconds, and proxies are few.
  let peer: { address: string | undefined; isPrivate: boolean } = { address: undefined, isPrivate: false };
  const isPrivatePeer = (address: string | undefined): boolean => {
    if (address !== peer.address) peer = { address, isPrivate: isPrivateAddress(address) };
    return peer.isPrivate;
  };
  server.prependListener('request', ({ headers, socket, url }) => {
    const list = headers['x-forwarded-for']?.toString();
    if (trustedProxies === 0) {
      if (list !== undefined && isPrivatePeer(socket.remoteAddress)) note(untrusted, () => UNTRUSTED);
    } else if (!hasEntries(list, trustedProxies) && !PROBES.has(url ?? '')) {
      note(missing, () => missingText(trustedProxies, list ? list.split(',').length : 0));
    }
  });
}

const UNTRUSTED =
  'TRUSTED_PROXIES is 0, but requests with X-Forwarded-For come from a private address, so from a proxy: all visitors count as ' +
  'one address, and a limit that one reaches holds for all. Set TRUSTED_PROXIES to the number of proxies in front, usually 1.';

const missingText = (trusted: number, entries: number): string =>
  `TRUSTED_PROXIES is ${trusted}, but a request came with fewer addresses in X-Forwarded-For (${entries}): its client can choose the address ` +
  'that limits count. Set TRUSTED_PROXIES to the number of proxies in front that add to X-Forwarded-For (0 if there is none), and ' +
  'let clients reach this port through them alone.';

/** Whether a list joined by commas has `least` entries; looks no further. */
function hasEntries(list: string | undefined, least: number): boolean {
  if (!list) return false;
  let comma = -1;
  for (let found = 1; found < least; found++) {
    comma = list.indexOf(',', comma + 1);
    if (comma < 0) return false;
  }
  return true;
}

/** Networks that the public internet does not reach: loopback, private, shared by a carrier, link-local. */
const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4');
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

export function isPrivateAddress(address: string | undefined): boolean {
  return address !== undefined && privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
