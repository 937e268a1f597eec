import type { RequestHandler, Response } from 'express';
import { detached } from '../../domain/bounded-cache.js';
import { inChunks } from '../../domain/in-chunks.js';
import type { LeasePoints } from '../../redis/limit-leases.js';
import { authOf } from './authenticate.js';
import { limitHeaders, requireWithin, type LimitState } from './rate-limit.js';

/** Counts a request of a subject: at once while the process holds points of this window, else after asking Redis for some. */
export type WindowLimit = (subject: string, nowMs: number) => LimitState | Promise<LimitState>;

/** Subjects counted in one window; a sender with more addresses than this is stopped by the limit of the token. */
const MAX_SUBJECTS = 100_000;
/** Behind a proxy an address comes from a header and may have any length. */
const LONGEST_ID = 64;
/** Subjects in one request to Redis. */
const MAX_WANTS = 1_000;
/** A process leases at most this share of the remaining points at once, so that few lie idle while another process needs some. */
const SHARE = 8;

/** The state of one subject in one window. */
interface Count {
  /** Points leased from the shared limit, and how many of them are used. */
  leased: number;
  used: number;
  /** Points that all processes had leased at the last answer of Redis. */
  spent: number;
  /** Requests that wait for points. */
  waiting: number;
  asking: Promise<void> | null;
}

interface Ask {
  id: string;
  count: Count;
  resolve: () => void;
}

interface WindowLimitOptions {
  /** Requests of a subject in a window. */
  limit: number;
  /** Length of a window, which begin at multiples of it. */
  seconds?: number;
  subject: LimitState['subject'];
  lease: LeasePoints;
}

/**
 * A limit per window of time that holds over all processes. Each process leases a few points at a time, more for a subject that
 * sends more, so that even a busy subject costs Redis only some requests a second. Leases that are asked for in one turn of
 * the event loop go as one request. Never more requests pass than the limit; fewer may, by points of the last eighth that
 * other processes hold. Without Redis each process counts for itself.
 */
export function createWindowLimit({ limit, seconds = 1, subject, lease }: WindowLimitOptions): WindowLimit {
  const windowMs = seconds * 1_000;
  let window = 0;
  let counts = new Map<string, Count>();
  /** Leases of the next request, and the window that they are for. */
  let asks: Ask[] = [];
  let asksOf = 0;

  const send = async (at: number, list: readonly Ask[]): Promise<void> => {
    const wants = list.map(({ id, count }) => {
      const share = Math.min(Math.floor((limit - count.spent) / SHARE), count.leased * 2);
      return { subject: id, points: Math.min(limit, Math.max(1, count.waiting, share)) };
    });
    const told = await lease(at, wants).catch(() => null);
    list.forEach(({ count, resolve }, i) => {
      const before = told?.[i];
      const points = wants[i]?.points ?? 0;
      count.leased += before === undefined ? limit - count.leased : Math.max(0, Math.min(points, limit - before));
      count.spent = before === undefined ? limit : before + points;
      count.asking = null;
      resolve();
    });
  };

  const flush = (): void => {
    const list = asks;
    asks = [];
    for (const chunk of inChunks(list, MAX_WANTS)) void send(asksOf, chunk);
  };

  const ask = (id: string, count: Count): Promise<void> =>
    new Promise((resolve) => {
      if (asks.push({ id, count, resolve }) > 1) return;
      asksOf = window;
      setImmediate(flush);
    });

  const stateOf = ({ leased, used, spent }: Count, nowMs: number, isOver: boolean): LimitState => {
    const remaining = isOver ? 0 : Math.max(0, limit - spent) + leased - used;
    return { limit, remaining, reset: Math.ceil((windowMs - (nowMs % windowMs)) / 1_000), isOver, subject };
  };

  const takeHeld = (count: Count, nowMs: number): LimitState | null => {
    if (count.used < count.leased) {
      count.used++;
      return stateOf(count, nowMs, false);
    }
    return count.spent >= limit ? stateOf(count, nowMs, true) : null;
  };

  const takeAsked = async (id: string, count: Count, nowMs: number): Promise<LimitState> => {
    count.waiting++;
    let state = takeHeld(count, nowMs);
    // Ends, because each answer gives a waiting request a point or says that none is left.
    for (; state === null; state = takeHeld(count, nowMs)) {
      count.asking ??= ask(id, count);
      await count.asking;
    }
    count.waiting--;
    return state;
  };

  return (subjectId, nowMs) => {
    const id = subjectId.length > LONGEST_ID ? detached(subjectId.slice(0, LONGEST_ID)) : subjectId;
    const now = Math.floor(nowMs / windowMs);
    if (now !== window || counts.size >= MAX_SUBJECTS) {
      flush();
      window = now;
      counts = new Map();
    }
    let count = counts.get(id);
    if (count === undefined) counts.set(id, (count = { leased: 0, used: 0, spent: 0, waiting: 0, asking: null }));
    return takeHeld(count, nowMs) ?? takeAsked(id, count, nowMs);
  };
}

/** The request is a part of another, which was counted. */
export function noteCounted(res: Response): void {
  res.locals.isCounted = true;
}

/** Limits requests by the key that made them. */
export function limitByKey(limit: WindowLimit, now: () => number): RequestHandler {
  return async (_req, res, next) => {
    if (res.locals.isCounted === true) {
      next();
      return;
    }
    const state = await limit(authOf(res).keyId, now());
    requireWithin(state, res);
    res.set(limitHeaders(state));
    next();
  };
}
