import { setTimeout as sleep } from 'node:timers/promises';

/** A request of a shop; throws for an answer that is not one of success. */
export async function call<Answer>(method: string, url: string, key: string, body?: object): Promise<Answer> {
  const response = await request(method, url, key, body);
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${JSON.stringify(answer)}`);
  return answer as Answer;
}

/** Pushes an order of today and reads until the figures contain it; gives how long that took, in milliseconds. */
export async function timeToShow(url: string, key: string, orderId: string): Promise<number> {
  const order = {
    order_id: orderId,
    placed_at: new Date().toISOString(),
    currency: 'GBP',
    status: 'paid',
    line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
    total: '1',
  };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date());
  const startedAt = performance.now();
  const { receipt } = await call<{ receipt: string }>('POST', `${url}/v1/orders`, key, { orders: [order] });
  for (;;) {
    const response = await request('GET', `${url}/v1/metrics?from=${today}&to=${today}&after=${receipt}`, key);
    await response.text();
    if (response.ok) return performance.now() - startedAt;
    if (response.status !== 503) throw new Error(`the figures were answered with ${response.status}`);
  }
}

/**
 * One order after the other until the work is done, at most one each `everyMs`. While an order is slow to show, those that would
 * have begun meanwhile count with what was left of the wait, as if each had been sent in its time.
 */
export async function timesToShowDuring(
  work: Promise<void>,
  { url, key, everyMs }: { url: string; key: string; everyMs: number },
): Promise<number[]> {
  const state = { isDone: false };
  const ended = work.finally(() => (state.isDone = true));
  const times: number[] = [];
  while (!state.isDone) {
    const time = await timeToShow(url, key, `fresh-${performance.now()}`);
    for (let left = time; left > 0; left -= everyMs) times.push(left);
    await Promise.race([ended, sleep(Math.max(0, everyMs - time))]);
  }
  await ended;
  return times;
}

function request(method: string, url: string, key: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}
