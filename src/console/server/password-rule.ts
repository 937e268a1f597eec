import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { PASSWORD_LENGTH } from '../../domain/people.js';
import { charactersIn } from '../../errors.js';

/** Of 0 to 4: 10^8 guesses and more, each of which costs a hash. */
const LEAST_SCORE = 3;
/** What is judged of a long one, so that it takes no longer: 128 characters took half a second, these 0.1 s at most. */
const JUDGED = 40;

let loading: Promise<ZxcvbnFactory> | undefined;

/** Loaded where the first password is chosen: the lists take half a second and some 20 MB. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
}

/** What is wrong with a password; null: nothing. */
export async function passwordFault(password: string): Promise<string | null> {
  const { least, most } = PASSWORD_LENGTH;
  const length = charactersIn(password);
  if (length < least) return `A password has at least ${least} characters.`;
  if (length > most) return `A password has at most ${most} characters.`;
  loading ??= load();
  const { score } = (await loading).check(password.slice(0, JUDGED).toWellFormed());
  return score < LEAST_SCORE
    ? 'This password is easy to guess: it is a common one, or mostly words, repetitions, rows of keys or years that are tried first. ' +
        'Choose another one, such as four words that have nothing to do with each other.'
    : null;
}
