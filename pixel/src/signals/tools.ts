import { SILENT, type Answer, type Reader } from './reading.js';

interface Tools {
  Cookiebot?: { hasResponse?: boolean; consent?: { statistics?: boolean; marketing?: boolean } };
  /** `,C0001,C0002,` once OneTrust has loaded. */
  OnetrustActiveGroups?: string;
  OneTrust?: { IsAlertBoxClosed?(): boolean };
  wp_has_consent?(category: string): boolean;
}

/** What a tool says: whether the visitor has chosen it, then analytics and marketing. */
type Said = [chosen: unknown, analytics: unknown, marketing: unknown];

/** Cookiebot, OneTrust and the WP Consent API. */
export function toolConsent(): Reader[] {
  const page = window as Tools;
  const tools: (() => Said | undefined)[] = [
    () => {
      const { hasResponse, consent } = page.Cookiebot ?? {};
      return consent && [hasResponse, consent.statistics, consent.marketing];
    },
    () => {
      const groups = page.OnetrustActiveGroups;
      return groups === undefined
        ? undefined
        : [page.OneTrust?.IsAlertBoxClosed?.(), groups.includes('C0002'), groups.includes('C0004')];
    },
    () =>
      page.wp_has_consent && [
        document.cookie.includes('wp_consent_'),
        page.wp_has_consent('statistics'),
        page.wp_has_consent('marketing'),
      ],
  ];
  return tools.map((read): Reader => () => {
    const said = read();
    if (!said) return SILENT;
    const answer: Answer = [said[1] === true, said[2] === true];
    return [said[0] ? answer : undefined, answer];
  });
}
