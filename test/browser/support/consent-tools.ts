/** Google's own snippet. */
export const GTAG = `window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments) }`;

/** A consent tool with the interface of IAB TCF v2: `tcf(data)` announces, `tcfCalls` counts who listens. */
export const TCF = `window.tcfListeners = []; window.tcfData = undefined;
  window.__tcfapi = (command, version, callback) => {
    tcfListeners.push(callback); if (window.tcfData) callback(tcfData, true);
  };
  window.tcf = (eventStatus, ids, gdprApplies = true) => {
    tcfData = { eventStatus, gdprApplies, purpose: { consents: Object.fromEntries(ids.map((id) => [id, true])) } };
    tcfListeners.forEach((listener) => listener(tcfData, true));
  };`;

/** A store with the interface of Shopify's customer privacy API; `collect` is the visitor's choice. */
export const SHOPIFY = `window.allowed = { analytics: false, marketing: false, chosen: '' };
  window.Shopify = { customerPrivacy: {
    analyticsProcessingAllowed: () => allowed.analytics,
    marketingAllowed: () => allowed.marketing,
    saleOfDataAllowed: () => true,
    currentVisitorConsent: () => ({ analytics: allowed.chosen, marketing: allowed.chosen }),
  } };
  window.collect = (analytics, marketing) => {
    allowed = { analytics, marketing, chosen: analytics ? 'yes' : 'no' };
    document.dispatchEvent(new CustomEvent('visitorConsentCollected', {
      detail: { analyticsAllowed: analytics, marketingAllowed: marketing, saleOfDataAllowed: true } }));
  };`;
