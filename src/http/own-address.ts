import type { Request } from 'express';

/** A name or address with a port or without: a header may hold anything. */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The address under which a client reached the service, such as `https://profit.example.com`; undefined where its `Host` is none. */
export function ownAddress(req: Request): string | undefined {
  const host = req.get('host') ?? '';
  return HOST.test(host) ? `${req.protocol}://${host}` : undefined;
}
