import { SILENT, type Answer, type Reader } from './reading.js';

interface CustomerPrivacy {
  analyticsProcessingAllowed?(): boolean;
  marketingAllowed?(): boolean;
  saleOfDataAllowed?(): boolean;
  currentVisitorConsent?(): { analytics?: string };
}
interface ShopifyGlobal {
  customerPrivacy?: CustomerPrivacy;
  loadFeatures?(features: { name: string; version: string }[], done: () => void): void;
}
/** What `visitorConsentCollected` carries. */
type Collected = { analyticsAllowed?: boolean; marketingAllowed?: boolean; saleOfDataAllowed?: boolean } | null;

/**
 * Shopify's customer privacy API. What is allowed before the visitor chose is a preset. Where the API is not loaded yet,
 * it is asked for, as Shopify asks every script to.
 */
export function shopifyConsent(changed: () => void): Reader {
  let collected: Answer | undefined;
  let pending: boolean | undefined;

  document.addEventListener('visitorConsentCollected', (event) => {
    const detail = (event as CustomEvent<Collected>).detail;
    if (detail) collected = answer(detail.analyticsAllowed, detail.marketingAllowed, detail.saleOfDataAllowed);
    changed();
  });

  return () => {
    if (collected) return [collected];
    const shop = (window as { Shopify?: ShopifyGlobal }).Shopify;
    const api = shop?.customerPrivacy;
    if (api?.analyticsProcessingAllowed) {
      const allowed = answer(api.analyticsProcessingAllowed(), api.marketingAllowed?.(), api.saleOfDataAllowed?.());
      return [api.currentVisitorConsent?.().analytics ? allowed : undefined, allowed];
    }
    if (shop?.loadFeatures && pending === undefined) {
      pending = true;
      shop.loadFeatures([{ name: 'consent-tracking-api', version: '0.1' }], () => {
        pending = false;
        changed();
      });
    }
    return pending ? undefined : SILENT;
  };
}

function answer(analytics: unknown, marketing: unknown, sale: unknown): Answer {
  return [analytics === true, marketing === true && sale !== false];
}
