/** Import rules: errors <- domain <- {schemas, queue, state, warehouse} <- {http, workers} <- app wiring <- mains. */
const only = (name, pkg, from) => ({
  name,
  severity: 'error',
  comment: `${pkg} is imported only where its seam is`,
  from: { path: '^(src|workers)/', pathNot: from },
  to: { path: `node_modules/${pkg}/` },
});
const layer = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    layer('errors-stand-alone', '^src/errors\\.ts$', '^(src|workers|pixel)/'),
    layer('domain-is-pure', '^src/domain/', '^(workers|pixel)/|^src/(?!domain/|errors\\.ts)'),
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|url)$' },
    },
    layer('schemas', '^src/schemas/', '^(workers|pixel)/|^src/(?!schemas/|domain/|errors\\.ts)'),
    layer('queue', '^src/queue/', '^(workers|pixel)/|^src/(?!queue/|domain/|errors\\.ts)'),
    layer('state', '^src/state/', '^(workers|pixel)/|^src/(?!state/|domain/|errors\\.ts)'),
    layer('warehouse', '^src/warehouse/', '^(workers|pixel)/|^src/(?!warehouse/|domain/|errors\\.ts)'),
    layer(
      'intake',
      '^src/intake/',
      '^(workers|pixel)/|^src/(?!intake/|registry/|state/|warehouse/|queue/|schemas/|domain/|errors\\.ts)',
    ),
    layer(
      'assembly-stands-alone',
      '^src/intake/plain/assembly/',
      '^(workers|pixel|test)/|^src/(?!intake/plain/assembly/)',
    ),
    layer('assembly-is-compiled', '^(workers|test)/|^src/(?!intake/plain/assembly/)', '^src/intake/plain/assembly/'),
    layer(
      'registry',
      '^src/registry/',
      '^(workers|pixel)/|^src/(?!registry/|state/|warehouse/|queue/|schemas/|domain/|errors\\.ts)',
    ),
    layer('http', '^src/http/', '^(workers|pixel)/|^src/(app|cli|embedded)/|^src/main\\.ts$'),
    layer('workers', '^workers/', '^src/(http|app|cli|intake)/|^src/deps\\.ts$|^src/main\\.ts$|^pixel/'),
    layer('pixel-imports-nothing-of-the-service', '^pixel/', '^(src|workers)/'),
    layer('sources-never-import-tests', '^(src|workers|pixel)/', '^test/'),
    only('express-in-http-and-app', 'express', '^src/(http|app)/'),
    only('ioredis-in-state-and-queue', 'ioredis', '^src/(state|queue)/|^src/(deps|stores)\\.ts$'),
    only('bullmq-in-queue', 'bullmq', '^src/queue/|^workers/|^src/deps\\.ts$'),
    only('clickhouse-client-in-one-file', '@clickhouse/client', '^src/warehouse/client\\.ts$|^src/stores\\.ts$'),
    only('big.js-in-one-file', 'big\\.js', '^src/domain/money\\.ts$'),
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.d\\.ts$|^test/|\\.mjs$|/pages/' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|test/data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
