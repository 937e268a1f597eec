/**
 * Which folder may import which, as src/README.md draws it:
 * errors <- domain <- schemas <- {body, queue, redis, warehouse} <- repositories <- {ingest, figures} <- {http, workers} <- console
 * <- composition <- {cli, mains}. What is not listed here is forbidden, and so is a folder without a line of its own.
 * `types FOLDER` allows `import type` alone.
 */
const stores = ['queue', 'redis', 'warehouse'];
const mayImport = {
  'src/error-catalogue': [],
  'src/errors': ['types src/error-catalogue'],
  'src/paths': [],
  'src/config': [],
  'src/files': [],
  'src/domain': ['src/error-catalogue', 'src/errors', 'types src/schemas'],
  'src/schemas': ['src/error-catalogue', 'src/errors', 'src/domain'],
  // Runs in browsers too, and is bundled without dependencies.
  'src/client': ['types src/schemas'],
  // Runs in browsers too: pure, and bundled without dependencies.
  'src/convert': [
    ...['src/domain/countries', 'src/domain/currency', 'src/domain/fields', 'src/domain/micros', 'src/domain/money'],
    'src/domain/orders/order-facts',
    ...['types src/error-catalogue', 'types src/schemas'],
  ],
  'src/body': ['src/errors', 'src/domain', 'src/schemas'],
  'src/queue': ['src/errors', 'src/domain', 'src/schemas'],
  'src/redis': ['src/errors', 'src/paths', 'src/domain', 'src/schemas'],
  'src/warehouse': ['src/error-catalogue', 'src/errors', 'src/domain', 'src/schemas', 'src/paths'],
  // Requests to addresses that others name.
  'src/webhooks': [],
  'src/repositories': ['src/errors', 'src/domain', 'src/schemas', 'src/redis', 'src/warehouse'],
  'src/figures': ['src/errors', 'src/domain', 'src/schemas', 'src/redis', 'src/warehouse', 'src/repositories'],
  'src/ingest': [
    ...['src/errors', 'src/domain', 'src/schemas', 'src/body', ...stores.map((room) => `src/${room}`)],
    ...['src/repositories', 'src/convert'],
  ],
  // The shop to look around in: it pushes what it has as any shop does.
  'src/sample': [
    ...['src/domain', 'types src/schemas', 'src/client', 'src/ingest'],
    ...['types src/body', 'types src/queue', 'types src/repositories'],
  ],
  'src/http': [
    ...[
      'src/error-catalogue',
      'src/errors',
      'src/paths',
      'src/domain',
      'src/schemas',
      'src/redis',
      'src/warehouse',
      'src/repositories',
    ],
    ...['src/body', 'src/ingest', 'src/figures', 'src/telemetry'],
  ],
  'src/telemetry': ['src/errors', 'src/config', 'src/domain', 'src/queue', 'src/redis'],
  'src/console/server': [
    ...['src/errors', 'src/paths', 'src/domain', 'src/schemas', 'src/body', 'src/redis', 'src/repositories'],
    'types src/error-catalogue',
    'src/http',
    'src/webhooks',
  ],
  // Runs in the browser: pure functions, and types of the wire.
  'src/console/web': ['src/domain', 'types src/schemas'],
  'src/composition': [
    ...['src/errors', 'src/config', 'src/domain', ...stores.map((room) => `src/${room}`), 'src/repositories'],
    ...['src/body', 'src/ingest', 'src/figures', 'src/http', 'src/telemetry', 'src/console/server'],
    'src/embedded/engines/bi-users',
    'src/sample',
    'src/webhooks',
  ],
  'src/main': ['src/config', 'src/composition', 'src/telemetry'],
  workers: [
    ...['src/errors', 'src/config', 'src/domain', 'src/schemas', ...stores.map((room) => `src/${room}`)],
    ...[
      'src/repositories',
      'src/figures',
      'src/telemetry',
      'src/webhooks',
      'src/composition/alerts',
      'src/composition/stores',
      'src/composition/store-versions',
      'src/composition/closed-bi-users',
      'src/composition/end-process',
    ],
  ],
  'src/operations': [...['src/errors', 'src/domain', ...stores.map((room) => `src/${room}`), 'src/composition/stores']],
  'src/cli': [
    'src/operations',
    ...[
      'src/error-catalogue',
      'src/errors',
      'src/config',
      'src/files',
      'src/paths',
      'src/domain',
      'src/client',
      'src/convert',
      'src/schemas',
      'src/queue',
      'src/redis',
      'src/warehouse',
    ],
    ...[
      'src/repositories',
      'src/figures',
      'src/http/version',
      'src/composition/stores',
      'src/composition/fenced-warehouse',
      'src/composition/store-versions',
    ],
    ...['src/console/server/ticket', 'src/embedded'],
    'src/sample',
    'workers/attribution',
  ],
  'src/embedded': [
    ...[
      'src/errors',
      'src/config',
      'src/files',
      'src/paths',
      'src/redis',
      'src/telemetry',
      'src/console/server/ticket',
    ],
    ...['src/warehouse/bi/access', 'src/warehouse/bi/profiles', 'src/warehouse/sql'],
  ],
  // Runs before anything is built or installed.
  'src/tooling': [],
  pixel: [],
};

const pattern = (places) => `^(${places.map((place) => place.replaceAll('.', '\\.')).join('|')})(/|\\.|$)`;
const rooms = pattern(Object.keys(mayImport));
const own = '^(src|workers|pixel)/';
const rulesOf = ([place, others]) => {
  const allowed = others.map((other) => other.replace('types ', ''));
  const typesOnly = others.filter((other) => other.startsWith('types ')).map((other) => other.slice('types '.length));
  const rule = (to) => ({
    name: place,
    severity: 'error',
    comment: `${place} may import ${others.join(', ') || 'no other folder'}`,
    from: { path: pattern([place]) },
    to,
  });
  return [
    rule({ path: own, pathNot: pattern([place, ...allowed]) }),
    ...typesOnly.map((other) => rule({ path: pattern([other]), dependencyTypesNot: ['type-only'] })),
  ];
};
const only = (name, pkg, from) => ({
  name,
  severity: 'error',
  comment: `${pkg} is imported only where its seam is`,
  from: { path: own, pathNot: from },
  to: { path: `node_modules/${pkg}/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(mayImport).flatMap(rulesOf),
    {
      name: 'every-folder-has-a-rule',
      severity: 'error',
      comment: 'name the folder in .dependency-cruiser.cjs, and in src/README.md',
      from: {},
      to: { path: own, pathNot: rooms },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|url)$' },
    },
    {
      name: 'sources-never-import-tests',
      severity: 'error',
      from: { path: own },
      to: { path: '^test/' },
    },
    {
      name: 'nothing-imports-a-test-or-the-bench',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/bench/' },
      to: { path: '\\.test\\.ts$|^test/bench/' },
    },
    only('express-in-http-and-console', 'express', '^src/(http|console|composition)/'),
    only('prom-client-in-telemetry', 'prom-client', '^src/telemetry/'),
    only('ioredis-in-redis-and-queue', 'ioredis', '^src/(redis|queue)/|^src/composition/'),
    only('big-js-in-one-file', 'big.js', '^src/domain/money\\.ts$'),
    only('bullmq-in-queue', 'bullmq', '^src/queue/|^workers/|^src/composition/'),
    only(
      'clickhouse-client-in-one-file',
      '@clickhouse/client',
      '^src/warehouse/(client|failures)\\.ts$|^src/composition/',
    ),
    only('standardwebhooks-in-one-file', 'standardwebhooks', '^src/webhooks/'),
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.d\\.ts$|^test/|\\.mjs$|/web/|^pixel/shopify-custom-pixel' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
