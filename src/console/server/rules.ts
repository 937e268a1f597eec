import type { Role } from '../../domain/roles.js';

/**
 * Who may use which route of the app: the least role, `anyone` without a session, or the holder of a share link. A route without a rule
 * can't be made. Where a path names a shop, it must be one of the person's.
 */
export const RULES: Readonly<Record<string, Role | 'anyone' | 'share'>> = {
  'POST /app/api/sign-in': 'anyone',
  'POST /app/api/invitation': 'anyone',
  'POST /app/api/join': 'anyone',
  'GET /app/api/session': 'viewer',
  'POST /app/api/sign-out': 'viewer',
  'GET /app/api/sessions': 'viewer',
  'POST /app/api/sessions/:session/end': 'viewer',

  'GET /app/api/people': 'owner',
  'POST /app/api/people': 'owner',
  'PATCH /app/api/people/:person': 'owner',
  'DELETE /app/api/people/:person': 'owner',
  'POST /app/api/people/:person/invitation': 'owner',
  'GET /app/api/people/:person/sessions': 'owner',
  'POST /app/api/people/:person/sessions/:session/end': 'owner',
  'GET /app/api/log': 'owner',

  'GET /app/api/shops': 'viewer',
  'GET /app/api/figures': 'viewer',
  'POST /app/api/shops': 'owner',
  'POST /app/api/shops/:shop/close': 'owner',
  'POST /app/api/shops/:shop/reopen': 'owner',

  'GET /app/api/shops/:shop/v1/ingest/pushes': 'manager',
  'GET /app/api/shops/:shop/v1/*rest': 'viewer',
  'GET /app/api/shops/:shop/csv/v1/*rest': 'viewer',
  'PUT /app/api/shops/:shop/v1/products/costs': 'manager',
  'PUT /app/api/shops/:shop/v1/costs/orders': 'manager',
  'POST /app/api/shops/:shop/v1/costs/spend': 'manager',
  'GET /app/api/shops/:shop/gateway-fees': 'viewer',
  'POST /app/api/shops/:shop/gateway-fees': 'manager',
  'GET /app/api/shops/:shop/expenses': 'viewer',
  'POST /app/api/shops/:shop/expenses': 'manager',
  'PATCH /app/api/shops/:shop/expenses/:expense': 'manager',
  'POST /app/api/shops/:shop/expenses/:expense/end': 'manager',
  'DELETE /app/api/shops/:shop/expenses/:expense': 'manager',
  'GET /app/api/shops/:shop/alerts': 'manager',
  'PUT /app/api/shops/:shop/alerts': 'manager',
  'PUT /app/api/shops/:shop/alerts/webhook': 'manager',
  'DELETE /app/api/shops/:shop/alerts/webhook': 'manager',
  'POST /app/api/shops/:shop/alerts/webhook/test': 'manager',
  'GET /app/api/shops/:shop/share-links': 'manager',
  'POST /app/api/shops/:shop/share-links': 'manager',
  'POST /app/api/shops/:shop/share-links/:link/end': 'manager',
  'GET /app/api/share': 'share',
  'GET /app/api/share/:view': 'share',
  'GET /app/api/shops/:shop/keys': 'manager',
  'POST /app/api/shops/:shop/keys': 'manager',
  'POST /app/api/shops/:shop/keys/:key/revoke': 'manager',
  'POST /app/api/shops/:shop/keys/:key/rotate': 'manager',
};
