import { rectifyConfusion } from 'unicode-confusables';
import { charactersIn } from '../errors.js';
import { MAX_NAME, nameKey, OPERATOR } from './people.js';
import { holdsContact } from './personal/values.js';

/** Of a name, at most: more is a sentence. */
const MAX_WORDS = 5;

/** The recommended scripts (UAX #31); those in one group may stand in one name ("highly restrictive" of UTS #39). */
const SCRIPTS = [
  'Latin Han Hiragana Katakana',
  'Latin Han Bopomofo',
  'Latin Han Hangul',
  ...(
    'Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
    'Thai Lao Tibetan Myanmar Georgian Ethiopic Khmer Thaana'
  ).split(' '),
].map((group) => {
  const scripts = ['Common', 'Inherited', ...group.split(' ')].map((script) => `\\p{scx=${script}}`);
  return new RegExp(`^[${scripts.join('')}]*$`, 'u');
});

/** Letters, digits and what names have between them; so no code point that is not seen, and no line break. */
const CHARACTERS = /^[\p{L}\p{M}\p{Nd} .'’·-]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** What a name looks like (UTS #39): two whose skeletons are equal can be taken for each other. */
function skeleton(text: string): string {
  return rectifyConfusion(text.normalize('NFD')).normalize('NFD').toLowerCase();
}

/** In the letters as written and in small ones: I looks like l, and i does not. */
function looksOf(name: string): string[] {
  const text = name.normalize('NFKC').trim().replace(/\s+/gu, ' ');
  return [skeleton(text), skeleton(text.toLowerCase())];
}

/** Whether two names are one, or can be taken for each other. */
export function looksLike(a: string, b: string): boolean {
  const own = looksOf(a);
  return looksOf(b).some((look) => own.includes(look));
}

/** What is wrong with a name; null: nothing. */
export function nameFault(name: string): string | null {
  const key = nameKey(name);
  if (key === '' || charactersIn(name) > MAX_NAME) return `A name has 1 to ${MAX_NAME} characters.`;
  if (/[@＠﹫]/u.test(name) || holdsContact(name))
    return 'A name holds no e-mail address and no number of a phone or card; the service keeps none.';
  if (!CHARACTERS.test(name) || INVISIBLE.test(name))
    return "A name has letters, digits, blanks and . ' - alone, and none that is not seen.";
  if (!SCRIPTS.some((script) => script.test(name)))
    return 'A name is written in one script: it mixes letters of several, which look alike.';
  const words = name.trim().split(/ +/);
  if (words.length > MAX_WORDS) return `A name has at most ${MAX_WORDS} words.`;
  return words.some((word) => looksLike(word, OPERATOR.name))
    ? 'This name is that of the holder of the admin token.'
    : null;
}
