import { expect } from 'chai';
import { redactError, redactId, redactText, REMOVED } from '../../../src/domain/personal/redact.js';
import { holdsContact, isPersonalValue } from '../../../src/domain/personal/values.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const everyByte = (text: string): string => hex(text).replace(/../g, '%$&');

const contacts = [
  '030/1234567', '0170 1234567', '0170-1234567', '06 12 34 56 78', '612 34 56 78', '601 234 567',
  '(030) 1234567', '(0151) 234 56789', '(11) 91234-5678', '98765 43210', '340 1234567', '138-1234-5678',
  '555-123-4567', '1-555-123-4567', '555.123.4567', '01701234567', '0049 151 23456789', '0049151234567',
  'call Bob 0170 1234567 now', '0170\u20111234567', '0170\u00a01234567', '+٤٩١٥١٢٣٤٥٦٧٨٩', '０１７０ １２３４５６７', '0170\u200b-1234567',
  '4111111111111111', '4111 1111 1111 1111', '4242-4242-4242-4242', '5555555555554444', '378282246310005',
  '6011111111111117', '3530111333300000', '6200000000000005', '3056 930902 5904', '４１１１１１１１１１１１１１１１', 'card 4111111111111111!',
  'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', 'gb82west12345698765432', 'IBAN NO9386011117947 x',
  base64('bob@mail.example'), base64(base64('bob@mail.example')), base64('jörg@müller.example'), hex('bob@mail.example'),
  hex('bob@mail.example').toUpperCase(), hex('JOB@mail.example').toUpperCase(), `x-${base64('bob@mail.example')}`,
  base64('+4915112345678'), base64('4111111111111111'), everyByte('bob@mail.example'), everyByte(base64('bob@mail.example')),
  'bob&#64;mail.example', 'bob&#x40;mail.example', 'bob&commat;mail.example', 'bob\\u0040mail.example', 'bob\\x40mail.example',
  '4111.1111.1111.1111', 'pay_4111111111111111_x', encodeURIComponent('bob&#64;mail.example'),
  'bob@mail.example', 'bob%40mail.example', 'bob%2540mail.example', 'x=bob%40mail.example',
]; // prettier-ignore

const places = [
  '52.520008,13.404954', '@52.520,13.404,15z', '52.520008', '-33.868820', '52.520/13.405', '52°31\'12"N', 'geo:52.5,13.4',
  '192.0.2.17', 'from 192.0.2.17 today',
]; // prettier-ignore

const harmless = [
  '0012345678905', '012345678905', '0306406152', '4006381333931', '44012345678901', '5301234567890', '000000123',
  '120212345678901234', '4111111111111112', '0000012345', '2026-0001234', '2026-03-01-001', '01.03.2026', '01/03/2026',
  '2026-03-01T12:00:00+01:00', '2026-03-01 12:00:00 +01:00', '1234567890.1712345678', 'GA1.2.1234567890.1712345678',
  '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01', '12345678-1234-4123-8123-123456789012', '114-1234567-1234567', '#1001',
  '100.50', '33.33', '10 x 20 x 30', '5 10 15 20', 'M8 40 100 mm', '1920x1080', 'iphone-15-pro-max-256gb',
  'Cj0KCQjwgNanBhDUARIsAAeIcAvXQ_6X2pZ', 'IwAR0abcDEF_123-456_aem_XYZ', '0123456789abcdef'.repeat(2), 'a'.repeat(64),
  'summer_sale_2026_prospecting', 'DE12345678901234567890', 'AB12CDEF34567890', 'Summer Sale 2026', 'SKU-12345-678',
]; // prettier-ignore

describe('personal values', () => {
  for (const text of contacts) {
    it(`finds the contact in ${text}`, () => {
      expect(isPersonalValue(text), 'in a URL').to.equal(true);
      expect(holdsContact(text), 'in an id').to.equal(true);
      for (const kind of ['free', 'id', 'formatted'] as const) expect(redactText(text, kind), kind).to.equal(REMOVED);
    });
  }
  for (const text of places) {
    it(`finds the place or address ${text}`, () => expect(isPersonalValue(text)).to.equal(true));
  }
  for (const text of harmless) {
    it(`keeps ${text}`, () => {
      expect(isPersonalValue(text), 'in a URL').to.equal(false);
      expect(holdsContact(text), 'in an id').to.equal(false);
      expect(redactText(text, 'id')).to.equal(text);
    });
  }

  it('are looked for in time that grows with the length of the text', () => {
    const pieces = [
      'a1',
      '0 1',
      '12 ',
      '0',
      '(1',
      'AB12',
      '4111',
      '4111 ',
      '1.',
      '+1',
      'Ym9i',
      'Ym-',
      '2e',
      '0-',
      '٤',
      'a@.',
    ];
    for (const piece of pieces) {
      // The test would not end in its time if the text were read again from each of its characters.
      expect(isPersonalValue(piece.repeat(1_000_000 / piece.length)), piece).to.be.a('boolean');
    }
  });
});

describe('a kept fault', () => {
  it('has the sentence of its code and its field, and quotes nothing', () => {
    const message = 'placed_at "bob@mail.example" must be RFC 3339.';
    expect(redactError({ code: 'invalid_timestamp', message, field: 'placed_at' })).to.deep.equal({
      code: 'invalid_timestamp',
      message: 'A timestamp lacks its offset, does not exist or is out of range.',
      field: 'placed_at',
    });
  });

  it('does not name an unknown field', () => {
    const fault = redactError({ code: 'unknown_field', message: 'bob is unknown', field: 'bob@mail.example' });
    expect(JSON.stringify(fault)).not.to.include('bob');
    expect(fault).not.to.have.property('field');
  });

  it('keeps the sums that differ, and an id without personal data as it is', () => {
    const fault = redactError({ code: 'sum_mismatch', message: 'x', field: 'total', computed: '10', supplied: '9.99' });
    expect(fault).to.include({ computed: '10', supplied: '9.99' });
    expect(redactId('2026-0001234')).to.equal('2026-0001234');
    expect(redactId(null)).to.equal(null);
  });
});
