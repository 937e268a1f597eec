import { remembering } from '../bounded-cache.js';
import { issuerOf } from './click-networks.js';
import { formDecode } from '../personal/percent-decode.js';
import { isPersonalName } from '../personal/names.js';
import { isPersonalValue } from '../personal/values.js';

/** A parameter of a URL's query or fragment, as found. */
export interface Parameter {
  /** Decoded, lower case. */
  readonly name: string;
  /** Decoded once. Never to be stored when `personal`. */
  readonly value: string;
  /** Whether the value itself holds personal data. */
  readonly personal: boolean;
  /** Whether the URL may keep it: neither its value nor its name is personal, nor does it identify who clicked. */
  readonly kept: boolean;
}

interface Name {
  readonly text: string;
  readonly kept: boolean;
}

/** The same few names come with nearly every URL. Others, which may be personal themselves, are not remembered. */
const usualName = /^[\w.[\]-]{1,64}$/;
const judged = remembering<Name>(512 * 1024, judgeName, ({ text }) => 2 * text.length);

/** Reads one `name=value` pair of a URL; a pair without `=` has an empty value. Never throws. */
export function readParameter(pair: string): Parameter {
  const equals = pair.indexOf('=');
  const raw = equals < 0 ? pair : pair.slice(0, equals);
  const name = usualName.test(raw) ? judged(raw) : judgeName(raw);
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  const personal = isPersonalValue(value);
  return { name: name.text, value: formDecode(value), personal, kept: name.kept && !personal };
}

function judgeName(raw: string): Name {
  // Links copied out of HTML source carry `&amp;` between their parameters.
  const text = formDecode(raw).trim().toLowerCase().replace(/^amp;/, '');
  return { text, kept: !(issuerOf(text)?.personal ?? false) && !isPersonalName(raw) && !isPersonalValue(raw) };
}
