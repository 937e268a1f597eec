import type { Response } from 'express';
import helmet from 'helmet';

/**
 * Security headers of the pages that people open in a browser: nothing but the service's own scripts, styles and answers,
 * nothing inline. No upgrade to https, since an operator may well serve the pages on a plain local address.
 */
export const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false,
});

/** Answers with a page or file, which the browser requests each time. */
export function sendText(res: Response, type: 'html' | 'markdown' | 'text' | 'json' | 'yaml', text: string): void {
  res.setHeader('Cache-Control', 'no-cache');
  res.type(type).send(text);
}

/** Headers of every answer of the API. */
export const API_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const;
