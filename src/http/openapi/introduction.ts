import { ERROR_CODES, statusOf } from '../../errors.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

const rows = ERROR_CODES.map((code) => {
  const { meaning, remedy } = ERROR_CATALOGUE[code];
  return `| \`${code}\` | ${statusOf(code)} | ${meaning} | ${remedy} |`;
});

/** The front page of the document, in Markdown. */
export const INTRODUCTION = `Profit figures of an online store over REST, and the endpoints that orders, costs and browser events are pushed to.

## Keys
Send the whole key as \`Authorization: Bearer <API_KEY>\`. A **publishable** key (\`pk_svc_…\`) reads. A **secret** key (\`sk_svc_…\`) reads and writes what its scopes name: \`read\`, \`orders:write\`, \`costs:write\`, \`products:write\`. A **pixel token** (\`pt_svc_…\`) appends browser events and can do nothing else. A revoked key stops working everywhere within 5 s.

## Money
Every amount is a JSON string with a plain decimal: at most 15 integer and 6 fraction digits, never negative in a request. A JSON number in a money position is refused. Answers have at least two and at most six decimals, rounded half-up at the sixth; computed figures may be negative.

## Requests
Bodies are JSON in UTF-8 and may come with \`Content-Encoding: gzip\`; size limits hold for the inflated body. Unknown fields and parameters are refused, not ignored; so is a text with half of a surrogate pair (\`"\\ud83d"\` alone), which no store could give back. Every answer carries \`X-Request-Id\`: your own, if you send one of 1-128 characters of \`[A-Za-z0-9._-]\`.

## Limits
Each key has a rate for reads and one for writes. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) tell where it stands; over it the answer is 429 with \`Retry-After\`.

## Errors
A refused request has the body \`{ "errors": [ { "code", "message", "field"? } ], "request_id" }\`; a rejected item of a batch has the same \`errors\` in its result, and the batch still answers 200. A code never changes its meaning; the message says what to change; \`field\` is a path such as \`line_items[0].unit_price\`. The status below is that of a whole request refused for the code.

| Code | Status | Meaning | What to change |
|---|---|---|---|
${rows.join('\n')}
`;
