/** How orders of the platform are converted (contract: "Orders"); absent fields take their defaults. */
export interface ConversionSettings {
  count?: 'paid' | 'placed';
  refunds_on?: 'refund_day' | 'order_day';
  restock?: boolean;
  statuses?: Record<string, 'paid' | 'pending' | 'voided'>;
  gift_card_skus?: string[];
  sub_orders?: boolean;
  credit_coupons?: string[];
  rate?: { currency: string; value: string };
}

/** The conversion of a source as the stores keep it: JSON, empty where there is none. */
export function conversionText(conversion: ConversionSettings | null): string {
  return conversion === null ? '' : JSON.stringify(conversion);
}

export function readConversion(text: string | undefined): ConversionSettings | null {
  return text === undefined || text === '' ? null : (JSON.parse(text) as ConversionSettings);
}
