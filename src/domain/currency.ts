/** Codes of ISO 4217 that the runtime's own table leaves out: funds, metals, and what was added lately. */
const FURTHER =
  'BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED XAG XAU XBA XBB XBC XBD XCG XDR XPD XPT XSU XTS XUA XXX ZWG';

const codes = new Set([...Intl.supportedValuesOf('currency'), ...FURTHER.split(' ')]);

/** True for an ISO 4217 alpha-3 code in upper case. */
export function isCurrency(text: string): boolean {
  return codes.has(text);
}
