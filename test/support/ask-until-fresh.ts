import type { Answer } from './service.js';

/** As a client reads with `after=`: on a machine that takes longer than the service waits, it has to ask again. */
export async function askUntilFresh(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || answer.body.errors[0].code !== 'not_fresh_yet') return answer;
  }
}
