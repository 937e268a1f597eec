import { expect } from 'chai';
import { canonicalHost, canonicalHosts, isOwnHost } from '../../src/domain/own-hosts.js';

describe('own hosts', () => {
  it('are kept in lower case, as xn--, without a dot at the end, each once', () => {
    expect(canonicalHosts(['Pay.Example.NET', 'pay.example.net.', 'müller.example', '*.Bücher.example'])).to.deep.equal(
      ['pay.example.net', 'xn--mller-kva.example', '*.xn--bcher-kva.example'],
    );
  });

  it('are no address, no pattern but of all subdomains, and not the subdomains of a public suffix', () => {
    for (const wrong of [
      '',
      '*',
      '*.',
      '*.*.example',
      'a.*.example',
      'a*.example',
      'https://a.example',
      'a.example/x',
      'a.example:443',
      'a b.example',
      'a..example',
      '999.1.1.1',
      '*.192.0.2.1',
      '*.com',
      '*.co.uk',
      '*.myshopify.com',
      `${'a'.repeat(64)}.example`,
    ]) {
      expect(canonicalHost(wrong), wrong).to.equal(null);
    }
  });

  it('match the host itself, or with *. its subdomains alone', () => {
    const own = ['pay.example.net', '*.till.example'];
    expect(isOwnHost('pay.example.net', own)).to.equal(true);
    expect(isOwnHost('x.pay.example.net', own)).to.equal(false);
    expect(isOwnHost('a.b.till.example', own)).to.equal(true);
    expect(isOwnHost('till.example', own)).to.equal(false);
    expect(isOwnHost('eviltill.example', own)).to.equal(false);
  });
});
