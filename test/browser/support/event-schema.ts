import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const text = { type: 'string', minLength: 1, maxLength: 255 };

/** An item of `events` in `POST /v1/collect`: every field that the collector knows, and no other. */
const eventSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['event_id', 'type', 'ts', 'anon_id', 'session_hint', 'url', 'referrer', 'consent', 'sdk'],
  properties: {
    event_id: { type: 'string', format: 'uuid' },
    type: { enum: ['page_view', 'product_view', 'add_to_cart', 'begin_checkout', 'purchase', 'identify'] },
    ts: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
    anon_id: { type: 'string', format: 'uuid' },
    session_hint: { type: 'string', format: 'uuid' },
    url: { type: 'string', format: 'uri' },
    referrer: { type: 'string' },
    consent: { enum: ['analytics', 'analytics+marketing'] },
    sdk: { type: 'string', pattern: '^profit-pixel/\\d+\\.\\d+\\.\\d+$' },
    store_client_id: text,
    order_id: text,
    checkout_token: text,
    product_id: text,
    sku: text,
    quantity: { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,6})?$' },
    email_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  allOf: [
    {
      if: { properties: { type: { const: 'purchase' } } },
      then: { anyOf: [{ required: ['order_id'] }, { required: ['checkout_token'] }] },
    },
    {
      if: { required: ['email_hash'] },
      then: { properties: { type: { const: 'identify' }, consent: { const: 'analytics+marketing' } } },
    },
  ],
};

const batchSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token', 'sent_at', 'events'],
  properties: {
    token: { type: 'string', pattern: '^pt_svc_[0-9a-f]{64}$' },
    sent_at: { type: 'string', format: 'date-time' },
    events: { type: 'array', minItems: 1, maxItems: 20, items: eventSchema },
  },
};

const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false });
addFormats.default(ajv);
const validate = ajv.compile(batchSchema);

/** What is wrong with the body of a collect request, one sentence each; empty when it is right. */
export function batchErrors(body: string): string[] {
  if (validate(JSON.parse(body))) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
