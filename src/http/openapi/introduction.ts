import { ERROR_CATALOGUE, ERROR_CODES } from '../../error-catalogue.js';
import { statusOf } from '../../errors.js';

const rows = ERROR_CODES.map((code) => {
  const { meaning, remedy } = ERROR_CATALOGUE[code];
  return `| \`${code}\` | ${statusOf(code)} | ${meaning} | ${remedy} |`;
});

/** The front page of the document, in Markdown. */
export const INTRODUCTION = `Profit figures of an online store over REST, and the endpoints that orders, costs and browser events are pushed to.

## Keys
Send the whole key as \`Authorization: Bearer <API_KEY>\`. A **publishable** key (\`pk_svc_…\`) reads. A **secret** key (\`sk_svc_…\`) reads and writes what its scopes name: \`read\`, \`orders:write\`, \`costs:write\`, \`products:write\`. A **pixel token** (\`pt_svc_…\`) appends browser events and can do nothing else. A revoked key stops working everywhere within 5 s.

## Money
Every amount is a JSON string with a plain decimal: at most 15 integer and 6 fraction digits, never negative in a request. A JSON number in a money position is refused. Answers have at least two and at most six decimals, rounded half-up at the sixth; computed figures may be negative. Make numbers of amounts before a library for charts compares them: some add texts up rightly, and yet take \`9.50\` for more than \`100.00\`.

## Requests
Bodies are JSON in UTF-8 and may come with \`Content-Encoding: gzip\`; size limits hold for the inflated body. Unknown fields and parameters are refused, not ignored; so is a text with half of a surrogate pair (\`"\\ud83d"\` alone), which no store could give back. Every answer carries \`X-Request-Id\`: your own, if you send one of 1-128 characters of \`[A-Za-z0-9._-]\`. A W3C \`traceparent\` is taken, and its trace is in the log of the service.

A text has at most 255 characters where nothing else is said. A flag in a query is \`1\`, \`true\`, \`0\` or \`false\`; a parameter with a fixed set takes its values alone, and an empty one is refused like any other. All faults of a query are named at once.

## Dates
Days are written \`YYYY-MM-DD\` and lie between 1970-01-01 and 2148-12-31; an expense may end up to 9999-12-31. They are days of the shop's time zone. Timestamps are RFC 3339 with an explicit offset, \`T\` and \`Z\` in either case; a leap second counts as the first instant of the next second.

## Limits
Each key has a rate for reads and one for writes. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) show its state; over it the answer is 429 with \`Retry-After\`. An address that tries many unknown keys gets 429 too; keys that are known work on behind it.

A request must arrive within 30 s, its head within 10 s. A shop has at most 1,000 channels of ad spend, 1,000 payment gateways and 5,000 expenses; an order at most 500 lines, 500 refunds, 500 lines in a refund and 5,000 in all of its refunds. More is \`too_many\`, and the message names the bound.

No wait is endless: reads are answered within 10 s (with \`after\` 5 s more), pushes within 5 s, health checks within 2 s. What can't be had in that time is 503 with \`Retry-After\`; send the same again then. A connection on which an answer stays unread for 60 s is closed.

## Reading your own push
What is pushed is in the figures within moments. Whoever needs to be sure takes the \`receipt\` of the push and reads with \`after=<receipt>\`: such an answer contains the push, and all that the shop pushed before it. Where that takes longer than 5 s, the answer is 503 \`not_fresh_yet\`; ask again. A receipt is good for as long as the ingest log is kept, for the shop that pushed. The receipt of a deleted order is in the header \`Receipt\`; a deleted expense has none: the next read shows it.

## Exports
Orders, products, unit costs, channels, daily figures, what a figure is made of and how it changed come as pages of JSON, and whole as a file: send \`Accept: text/csv\` or \`Accept: application/vnd.apache.parquet\` with the same key and filters.

\`curl -H "Authorization: Bearer <API_KEY>" -H "Accept: text/csv" --compressed --fail -o orders.csv "<HOST>/v1/orders?from=2026-03-01&to=2026-03-31"\`

A file holds each row as it stood when it was read; rows that change meanwhile cause no gap and no repeat. A connection that breaks off means a part: ask again. A shop has at most 2 exports under way, and a client takes at least 64 KB in 30 s. CSV is compressed with \`Accept-Encoding: gzip\`; Parquet is compressed within.

- **Spreadsheets.** Open the CSV by *Data → From Text/CSV* (Excel) or *File → Import* (Google Sheets, LibreOffice) as UTF-8 with commas, and take ids as text: a spreadsheet rounds long numbers. A text that begins like a formula (\`=\`, \`+\`, \`-\`, \`@\`) has an apostrophe before it, so that nothing of an order is run; amounts are plain numbers, negative ones too.
- **DuckDB.** \`SELECT channel, sum(profit) FROM 'orders.parquet' GROUP BY channel\`: amounts are DECIMAL(38, 6), days DATE, instants TIMESTAMP WITH TIME ZONE. From CSV, name the type of amounts, which DuckDB would take for binary fractions: \`FROM read_csv('orders.csv', types = {'order_id': 'VARCHAR', 'profit': 'DECIMAL(38, 6)'})\`. Instants of files are in UTC; of a text with another offset name the type TIMESTAMPTZ, since TIMESTAMP leaves the offset out. Bands of amounts are \`floor(profit / 5)\`: \`//\` cuts whole numbers alone.
- **pandas.** \`pandas.read_parquet('orders.parquet')\` gives amounts as exact \`decimal.Decimal\`.

## Errors
A refused request has the body \`{ "errors": [ { "code", "message", "field"? } ], "request_id" }\`; a rejected item of a batch has the same \`errors\` in its result, and the batch still answers 200. An accepted order may have \`warnings\`, which name what is unlikely in it. A code never changes its meaning; the message says what to change; \`field\` is a path such as \`line_items[0].unit_price\`. The status below is that of a whole request refused for the code. No answer repeats more than 100 characters of what was sent, but for ids of up to 255 by which you tell results apart.

With \`Accept: application/problem+json\` a refused request is answered as RFC 9457 has it: \`type\`, \`title\`, \`status\` and \`detail\`, with \`errors\` and \`request_id\` added.

| Code | Status | Meaning | What to change |
|---|---|---|---|
${rows.join('\n')}
`;
