import { remembering } from '../bounded-cache.js';
import { percentDecode } from './percent-decode.js';
import { wordSet } from '../events/word-list.js';

/**
 * Personal wherever they stand in a name: `customer[email]`, `shipping_address_1`, `userFirstName`. Names of two words
 * are compared joined. In the languages of the larger store platforms.
 */
const telling = wordSet(`
  email emailaddress mailaddress phone telephone telefon telefono phonenumber mobilephone cellphone homephone
  workphone userphone customerphone mobilenumber contactnumber whatsappnumber firstname lastname fullname middlename
  maidenname givenname familyname surname forename nickname username screenname displayname vorname nachname prenom
  apellido apellidos nombres cognome address addresses adresse direccion indirizzo street streetname strasse straße
  zipcode postcode postalcode codepostal birthday birthdate birth dateofbirth dob geburtsdatum iban bic cvv cvc
  cardnumber ccnumber creditcard pan ssn passport taxid vatid password passwd passwort passphrase passcode pwd
  motdepasse contrasena credential credentials token tokens jwt otp secret bearer auth oauth authorization authtoken
  accesstoken idtoken refreshtoken apikey accesskey privatekey secretkey orderkey signature session sessionid sessid
  phpsessid jsessionid aspsessionid cookie verificationcode resetcode logincode accesscode pincode ipaddress clientip
  remoteaddr remoteip userip correo courriel emailhash phonehash latitude longitude
`);

/** Personal only as the whole name, or after a word that says whose it is: `name`, `billing[name]`, not `color_name`. */
const wholly = wordSet(`
  name fname lname fn ln first last mail em ph tel mobile cell fax handy contact addr street1 street2 line1 line2 zip zp
  plz postal city ort town ville state county province gender age user login uname uid userid customerid memberid
  accountid contactid subscriberid leadid usr account key code sid sig hash pass pin nonce hmac ip who nom nombre
  naam cognome lat lng lon hstc hssc hsfp
`);

const owners = wordSet(`
  user customer contact account buyer recipient billing shipping delivery member client guest subscriber owner my your
  person profile bill ship invoice checkout order form data field fields attributes sender receiver payer lead visitor
`);

const within = /email|passw|firstname|lastname|telefon/;
const ending = /(?:token|secret|signature|apikey|sessid|sessionid)$/;
const usualName = /^[\w.[\]-]{1,64}$/;
const judged = remembering(512 * 1024, judge);

/**
 * Whether a parameter of this name holds personal data or a secret, whatever its value. Case, separators, brackets,
 * camel case and percent-encoding do not matter. `utm_*` names never do: their values are judged instead.
 */
export function isPersonalName(name: string): boolean {
  return usualName.test(name) ? judged(name) : judge(name);
}

function judge(name: string): boolean {
  const decoded = percentDecode(percentDecode(name)).trim();
  if (/^(?:amp;)?utm_/i.test(decoded)) return false;
  const words = decoded
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const joined = words.join('');
  if (within.test(joined) || ending.test(joined) || wholly.has(joined)) return true;
  const owned = words.findIndex((word) => !owners.has(word));
  if (owned > 0 && wholly.has(words.slice(owned).join(''))) return true;
  const innermost = /\[([^[\]]+)\]$/.exec(decoded)?.[1];
  if (innermost !== undefined && wholly.has(innermost.toLowerCase())) return true;
  return words.some((word, at) => {
    const two = word + (words[at + 1] ?? '');
    return telling.has(word) || telling.has(two) || telling.has(two + (words[at + 2] ?? ''));
  });
}
