import { expect } from 'chai';
import { cleanPageUrl, cleanReferrer } from '../../../src/domain/events/clean-url.js';
import { isPersonalName } from '../../../src/domain/personal/names.js';
import { isPersonalValue } from '../../../src/domain/personal/values.js';

const personalNames = `
  email e-mail e_mail Email EMAIL mail user_email userEmail customer[email] checkout[email] emailAddress email_address
  contact_email e%6Dail newsletterEmail email[] email_sha256 phone phone_number phoneNumber tel mobile mobile_number
  customerphone cell fax telefon first_name firstName firstname fname last_name lastname lname full_name surname
  vorname nachname prenom apellido name customer_name billing[name] checkout[shipping_address][first_name]
  address shipping_address_1 billing-address address[line1] street stra%C3%9Fe strasse zip zip_code shipping_zip
  postcode postal_code postalCode plz city dob date_of_birth birthday iban card_number cvv
  token access_token accessToken id_token refresh_token csrfToken checkout_token reset_token
  auth authorization oauth_verifier bearer jwt password passwd pwd user_password new-password passphrase
  mot_de_passe motDePasse user[mot_de_passe] nouveau-mot-de-passe code_postal
  session session_id sessionId sid PHPSESSID jsessionid key api_key apikey apiKey secret client_secret private_key
  order_key signature sig X-Amz-Signature X-Amz-Security-Token code auth_code verification_code otp otp_code pin hash
  username user_name login user user_id customerId uid ip ip_address latitude amp;email
`;

const harmlessNames = `
  utm_source utm_medium utm_campaign utm_term utm_content utm_id utm_email utm_name UTM_SOURCE gclid fbclid msclkid
  ttclid epik irclickid srsltid gad_source variant id product_id sku page q query search s sort sort_by order_by
  filter.p.m.custom.color color size product_name campaign_name color_name discount discount_code promo_code coupon
  ref source via locale lang country currency keyword keywords headphones iphone microphone collection category tag
  limit offset view quantity price_min utf8 v t pos _pos _sid_page sca_ref pr_prod_strat monkey turkey postpaid
  barcode codec zipper nameplate streetwear mailbox hotel
`;

const personalValues = [
  'jane@mail.example',
  'Jane.Doe+tag@mail.example.co.uk',
  'jane%40mail.example',
  'jane%2540mail.example',
  'jane%252540mail.example',
  'jane%2525252540mail%25252Eexample',
  '%6A%61%6E%65%40%6D%61%69%6C%2E%65%78',
  'jane%u0040mail.example',
  'jane%ff%40mail.example',
  'jane%zz@mail.example',
  'jane%EF%BC%A0mail.example',
  'j%C3%B6rg@m%C3%BCller.example',
  'contact:jane@mail.example,bob@mail.example',
  'mailto:jane@mail.example',
  '"jane doe"@mail.example',
  'amFuZUBtYWlsLmV4YW1wbGU=',
  'amFuZUBtYWlsLmV4YW1wbGU%3D',
  'https%3A%2F%2Fshop.example.com%2F%3Femail%3Dx%26a%3D1',
  '/login?token=abc123',
  'a=1;phone=5551234',
  '+4915112345678',
  '%2B49%20151%20123%2045678',
  '+1 (555) 123-4567',
  '+1-555-123-4567',
  '555-123-4567',
  '(555) 123-4567',
  'tel:5551234567',
  'call %2B4915112345678 now',
  '4111111111111111',
  '4111 1111 1111 1111',
  '378282246310005',
  '192.0.2.17',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N',
  'eyJrbF9lbWFpbCI6ICJqYW5lIn0%3D',
  `sk_svc_${'a1'.repeat(32)}`,
  'wc_order_Ab12Cd34Ef56G',
];

const harmlessValues = [
  '',
  'red-shoe',
  '44012345678901',
  '120212345678901234',
  '4006381333931',
  '20260301',
  '2026-03-01',
  'sale+2026-03-01',
  'sale+20260301+4006381333931',
  '2026-03-01T12:00:00',
  '10.99',
  '1.2.3',
  '+50%25',
  '@brand',
  'https://www.tiktok.com/@brand.official',
  'follow @brand',
  'a@b',
  'Cj0KCQjwgNanBhDUARIsAAeIcAvXQ_6X2pZ',
  'IwAR0abcDEF_123-456_aem_XYZ',
  'CAESEBcdefGHI',
  'summer_sale_2026_prospecting',
  'sk_short',
  'b=2',
  '/collections/all?page=2&sort_by=price',
  '4111111111111112',
  '50% off',
  'red%25252520shoe',
  '%E5%A4%8F',
];

const urls: readonly (readonly [string, string, string])[] = [
  ['user and password', 'https://jane:secret@shop.example.com/', 'https://shop.example.com/'],
  ['an e-mail address as user', 'https://jane%40mail.example@shop.example.com/a', 'https://shop.example.com/a'],
  [
    'personal parameters only',
    'https://s.example/p?a=1&email=x&utm_source=y&phone=2&b',
    'https://s.example/p?a=1&utm_source=y&b',
  ],
  ['a query of nothing else', 'https://s.example/p?email=x', 'https://s.example/p'],
  ['a parameter that is an address', 'https://s.example/?jane@mail.example', 'https://s.example/'],
  ['a name that is an address', 'https://s.example/?jane%40mail.example=1&a=2', 'https://s.example/?a=2'],
  ['empty pairs', 'https://s.example/?&a=1&&', 'https://s.example/?a=1'],
  ['a path segment', 'https://s.example/account/jane@mail.example/orders', 'https://s.example/account/redacted/orders'],
  ['an encoded path segment', 'https://s.example/u/jane%2540mail.example', 'https://s.example/u/redacted'],
  ['a session id in the path', 'https://s.example/cart;jsessionid=1A2B?a=1', 'https://s.example/redacted?a=1'],
  ['long hex in the path', `https://s.example/c/${'0a'.repeat(16)}/status`, 'https://s.example/c/redacted/status'],
  [
    'an opaque segment after a word of secrets',
    'https://s.example/account/reset/12/f3Kd9-alsoLong12',
    'https://s.example/account/reset/12/redacted',
  ],
  [
    'a short token of a reset',
    'https://s.example/account/reset/x7K2p9?step=2',
    'https://s.example/account/reset/redacted?step=2',
  ],
  ['a code of digits', 'https://s.example/verify/482913/done', 'https://s.example/verify/redacted/done'],
  [
    'parameters of a reset but campaigns',
    'https://s.example/password-reset?t=x7k2p9&lang=de&utm_source=Mail2&gclid=Cj0KCQjw12345678',
    'https://s.example/password-reset?lang=de&utm_source=Mail2&gclid=Cj0KCQjw12345678',
  ],
  ['a national phone number', 'https://s.example/?q=0170%201234567&a=1', 'https://s.example/?a=1'],
  ['an IBAN', 'https://s.example/pay/DE89370400440532013000', 'https://s.example/pay/redacted'],
  [
    'coordinates',
    'https://s.example/stores/52.520008,13.404954?ll=52.52,13.405',
    'https://s.example/stores/redacted?ll=52.52,13.405',
  ],
  ['an address in hex', 'https://s.example/u/626f62406d61696c2e6578616d706c65', 'https://s.example/u/redacted'],
  ['an address in base64', 'https://s.example/?u=x-Ym9iQG1haWwuZXhhbXBsZQ', 'https://s.example/'],
  [
    'the visitor whom a host of the shop handed on',
    'https://s.example/pay?gclid=1&profit_session=1.2.0b6e.9f1c',
    'https://s.example/pay?gclid=1',
  ],
  ['a token in the fragment', 'https://s.example/#access_token=a&token_type=b&step=2', 'https://s.example/#step=2'],
  ['an address in the fragment', 'https://s.example/#jane@mail.example', 'https://s.example/#redacted'],
  [
    'a route in the fragment',
    'https://s.example/#/u/jane@mail.example?email=x&tab=2',
    'https://s.example/#/u/redacted?tab=2',
  ],
  ['an address nested in a redirect', 'https://s.example/?next=%2Flogin%3Femail%3Djane&a=1', 'https://s.example/?a=1'],
];

const kept: readonly string[] = [
  'https://shop.example.com/products/red-shoe?variant=44012345678901&utm_campaign=Summer+Sale%202026#reviews',
  'https://shop.example.com:8443/collections/all?filter.p.m.custom.color=Red&sort_by=price-ascending&page=2',
  'http://localhost:3000/#/cart?step=2',
  'https://shop.example.com/products/0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01',
  'https://shop.example.com/orders/1001',
  'https://shop.example.com/account/reset-password/done?step=2',
  'https://shop.example.com/verify/email',
  'https://xn--mller-kva.example/%C3%BC?gclid=Cj0KCQjwgNanBhDUARIsAAeIcAvXQ_6X2pZ',
];

describe('personal data', () => {
  for (const name of personalNames.trim().split(/\s+/)) {
    it(`strips a parameter named ${name}`, () => expect(isPersonalName(name)).to.equal(true));
  }
  for (const name of harmlessNames.trim().split(/\s+/)) {
    it(`keeps a parameter named ${name}`, () => expect(isPersonalName(name)).to.equal(false));
  }
  for (const value of personalValues) {
    it(`strips the value ${value}`, () => expect(isPersonalValue(value)).to.equal(true));
  }
  for (const value of harmlessValues) {
    it(`keeps the value "${value}"`, () => expect(isPersonalValue(value)).to.equal(false));
  }
  for (const [what, raw, expected] of urls) {
    it(`strips ${what} from a URL`, () => expect(cleanPageUrl(raw)?.url).to.equal(expected));
  }
  for (const raw of kept) {
    it(`keeps ${raw} as it is`, () => expect(cleanPageUrl(raw)?.url).to.equal(raw));
  }

  it('takes what is encoded deeper than any redirect does for hidden', () => {
    expect(isPersonalValue(`%${'25'.repeat(20)}41`)).to.equal(true);
  });

  it('keeps no more of a referrer than its origin and path', () => {
    const { url, host, parameters } = cleanReferrer(
      'https://jane:pw@News.example:8080/u/jane@mail.example/x?q=shoes#top',
    );
    expect({ url, host, parameters }).to.deep.equal({
      url: 'https://news.example:8080/u/redacted/x',
      host: 'news.example',
      parameters: [],
    });
  });

  it('cuts a URL to 2,048 characters between its parts', () => {
    const base = 'https://s.example/p';
    const pair = `${'k'.repeat(9)}=${'v'.repeat(90)}`;
    const pairs = Array.from({ length: 30 }, () => pair);
    expect(cleanPageUrl(`${base}?${pairs.join('&')}#top`)?.url).to.equal(`${base}?${pairs.slice(0, 20).join('&')}`);
    const longPath = `https://s.example/${'segment/'.repeat(400)}x`;
    const { url, path } = cleanPageUrl(longPath) ?? {};
    expect(url)
      .to.match(/\/segment$/)
      .and.have.lengthOf.within(2_030, 2_048);
    expect(url).to.equal(`https://s.example${path ?? ''}`);
    expect(cleanPageUrl(`https://s.example/${'x'.repeat(3_000)}`)?.url).to.equal('https://s.example/');
    expect(cleanPageUrl(`https://s.example/p#${'x'.repeat(3_000)}`)?.url).to.equal('https://s.example/p');
  });
});
