/** A link that shows the figures of some days of a shop, without a session. Times are milliseconds since 1970. */
export interface ShareLink {
  /** SHA-256 of the token, lower-case hex. */
  tokenHash: string;
  linkId: string;
  shopId: string;
  from: string;
  to: string;
  madeBy: string;
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
}

export const SHARE_LINK_MS = 30 * 24 * 60 * 60 * 1000;
/** Links of a shop that can be opened at a time. */
export const MAX_SHARE_LINKS = 50;

export const isOpen = ({ expiresAt, endedAt }: ShareLink, nowMs: number): boolean =>
  endedAt === null && expiresAt > nowMs;
