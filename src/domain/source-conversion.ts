import type { ConversionSettings } from '../schemas/source.js';

/** The conversion of a source as the stores keep it: JSON, empty where there is none. */
export function conversionText(conversion: ConversionSettings | null): string {
  return conversion === null ? '' : JSON.stringify(conversion);
}

export function readConversion(text: string | undefined): ConversionSettings | null {
  return text === undefined || text === '' ? null : (JSON.parse(text) as ConversionSettings);
}
