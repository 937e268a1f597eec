import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';
import {
  base,
  containerOf,
  containers,
  exampleOf,
  kustomizationOf,
  KUSTOMIZED,
  OVERLAYS,
  read,
  ROOT,
  settings,
  type Manifest,
} from '../support/manifests.js';

interface Compose {
  services: Record<string, Record<string, unknown> & { image: string; command: string[] }>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const composeOfCluster = parse(read('clickhouse/deploy/docker-compose.cluster.yml'), { merge: true }) as Compose;

/** `$$` and `${NAME}` of compose, and line ends, are another notation. */
const command = (parts: readonly string[] | undefined): string => (parts ?? []).join(' ').replaceAll('$$', '$').trim();

describe('the manifests for Kubernetes', () => {
  it('name files that are there; those with secrets have an example and are in no repository', () => {
    const ignored = read('.gitignore').split('\n');
    for (const folder of KUSTOMIZED) {
      const { resources = [], configMapGenerator = [], secretGenerator = [], patches = [] } = kustomizationOf(folder);
      const named = [
        ...resources,
        ...configMapGenerator.flatMap(({ files = [] }) => files),
        ...patches.map(({ path }) => path),
      ];
      expect(named.filter((path) => !existsSync(join(folder, path)))).to.deep.equal([]);
      for (const resource of resources.filter((path) => !path.endsWith('.yaml')))
        expect(existsSync(join(folder, resource, 'kustomization.yaml')), resource).to.equal(true);
      for (const file of secretGenerator.flatMap(({ envs }) => envs)) {
        expect(existsSync(join(folder, `${file}.example`)), file).to.equal(true);
        expect(ignored.some((line) => line === `${ROOT}/**/*.env`)).to.equal(true);
      }
    }
  });

  it('refer to maps, secrets and volumes that are made', () => {
    for (const overlay of OVERLAYS) {
      const all = KUSTOMIZED.filter((folder) => !OVERLAYS.includes(folder) || folder === overlay).map(kustomizationOf);
      const maps = all.flatMap(({ configMapGenerator = [] }) => configMapGenerator.map(({ name }) => name));
      const secrets = all.flatMap(({ secretGenerator = [] }) => secretGenerator.map(({ name }) => name));
      const from = containers.flatMap(({ envFrom }) => envFrom);
      expect(maps).to.include.members(from.flatMap(({ configMapRef }) => configMapRef?.name ?? []));
      expect(secrets).to.include.members(from.flatMap(({ secretRef }) => secretRef?.name ?? []));
    }
    const files = (kustomizationOf('clickhouse/server').configMapGenerator?.[0]?.files ?? []).map((path) =>
      basename(path),
    );
    expect(containerOf('clickhouse')?.volumeMounts.flatMap(({ subPath }) => subPath ?? [])).to.have.members(files);
    for (const { spec } of base.filter(({ spec: { template } }) => template !== undefined))
      expect(spec.selector?.matchLabels).to.deep.equal(spec.template?.metadata.labels);
  });

  it('give the service an environment that it takes: of one server, and of shards', () => {
    const loaded = OVERLAYS.map((overlay) => loadConfig({ ...settings, ...exampleOf(overlay, 'service.env') }));
    const secretsOf = (overlay: string) => ({
      ...exampleOf(overlay, 'service.env'),
      ...exampleOf(overlay, 'admin.env'),
    });
    expect(loaded.map(({ shards }) => shards?.nodes.length)).to.deep.equal([undefined, 2]);
    expect(loaded[1]?.shards?.nodes.map((url) => new URL(url).hostname)).to.deep.equal(
      [...read(join(ROOT, 'overlays/cluster/shards.xml')).matchAll(/<host>([^<]+)</g)]
        .slice(0, 2)
        .map(([, host]) => host),
    );
    for (const { redisUrl } of loaded)
      expect(
        base.some(({ kind, metadata }) => kind === 'Service' && metadata.name === new URL(redisUrl ?? '').hostname),
      ).to.equal(true);
    const known =
      read('.env.example')
        .match(/^# ([A-Z_]+)=/gm)
        ?.map((line) => line.slice(2, -1)) ?? [];
    for (const overlay of OVERLAYS)
      expect(known).to.include.members(Object.keys({ ...settings, ...secretsOf(overlay) }));
  });

  it('run what docker-compose.yml runs, on the same images and ports', () => {
    for (const name of ['api', 'worker', 'migrate', 'redis'])
      expect(command(containerOf(name)?.command), name).to.equal(command(compose.services[name]?.command));
    for (const name of ['redis', 'clickhouse'])
      expect(containerOf(name)?.image).to.equal(compose.services[name]?.image);
    for (const name of ['api', 'worker', 'migrate'])
      expect(containerOf(name)?.image).to.equal(compose.services[name]?.image);
    const ports = (name: string) => containerOf(name)?.ports?.map(({ containerPort }) => containerPort);
    expect(ports('clickhouse')).to.deep.equal([8123, 9000]);
    expect(ports('api')).to.deep.equal([Number(settings.PORT), Number(settings.METRICS_PORT)]);
    expect(ports('worker')).to.deep.equal([Number(settings.METRICS_PORT)]);
    for (const name of ['api', 'worker', 'migrate', 'redis'])
      expect(containerOf(name)?.securityContext.readOnlyRootFilesystem, name).to.equal(true);
  });

  it('ask for routes that are there, and as the containers of docker-compose.yml do', () => {
    const paths = [...JSON.stringify(base).matchAll(/"path":"([^"]+)","port":"http"/g)].map(([, path]) => path);
    expect(new Set(paths)).to.deep.equal(new Set(['/ping', '/healthz', '/readyz']));
    const routes = read('src/http/routes/health.ts');
    for (const path of ['/healthz', '/readyz']) expect(routes).to.include(`path: '${path}',`);
    const health = compose.services.worker?.healthcheck as { test: string[] };
    expect(JSON.stringify(base)).to.include(JSON.stringify(health.test.slice(1)));
  });
});

describe('the overlay of shards', () => {
  it('changes the ClickHouse of the base: a pod for each shard, with the file that names them', () => {
    const folder = join(ROOT, 'overlays/cluster');
    const { patches = [], configMapGenerator = [] } = kustomizationOf(folder);
    const [patch] = patches.map(({ path }) => parse(read(join(folder, path))) as Manifest);
    const target = base.find(({ kind, metadata }) => kind === patch?.kind && metadata.name === patch.metadata.name);
    expect(target?.kind).to.equal('StatefulSet');
    const shards = read(join(folder, 'shards.xml')).match(/<shard>/g)?.length ?? 0;
    expect(patch?.spec.replicas).to.equal(shards);
    const template = patch?.spec.template?.spec;
    expect(template?.containers.map(({ name }) => name)).to.deep.equal(
      target?.spec.template?.spec.containers.map(({ name }) => name),
    );
    const mounts = template?.containers.flatMap(({ volumeMounts }) => volumeMounts) ?? [];
    expect(mounts.map(({ name }) => name)).to.deep.equal(template?.volumes.map(({ name }) => name));
    expect(configMapGenerator).to.deep.equal([
      { name: template?.volumes[0]?.configMap?.name, files: mounts.map(({ subPath }) => subPath) },
    ]);
  });
});

describe('the compose file of shards', () => {
  it('has a second ClickHouse like the first', () => {
    const [first, second] = [compose.services.clickhouse ?? {}, composeOfCluster.services['clickhouse-2'] ?? {}];
    for (const field of [
      'image',
      'restart',
      'healthcheck',
      'ulimits',
      'cap_add',
      'stop_grace_period',
      'deploy',
      'logging',
    ])
      expect(second[field as keyof typeof second], field).to.deep.equal(first[field as keyof typeof first]);
    const mounts = (service: object): string[] => ('volumes' in service ? (service.volumes as string[]) : []);
    const files = (service: object): string[] => mounts(service).filter((mount) => mount.startsWith('./'));
    expect(files(second)).to.have.members([...files(first), ...files(composeOfCluster.services.clickhouse ?? {})]);
    expect(
      files(second)
        .map((mount) => mount.split(':')[0] ?? '')
        .filter((path) => !existsSync(path)),
    ).to.deep.equal([]);
  });

  it('gives the service an environment that it takes, of the hosts of shards.xml', () => {
    const own = composeOfCluster.services.api?.environment as Record<string, string>;
    const filled = Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value.replace(/\$\{CLICKHOUSE_PASSWORD:\?[^}]+\}/g, 'secret')]),
    );
    const { shards } = loadConfig(filled);
    const hosts = shards?.nodes.map((url) => new URL(url).hostname);
    expect(hosts).to.deep.equal(['clickhouse', 'clickhouse-2']);
    for (const path of ['clickhouse/deploy/shards.xml', join(ROOT, 'overlays/cluster/shards.xml')]) {
      expect(read(path).match(/<host>/g), dirname(path)).to.have.length(2);
      expect(read(path).match(/<secret from_env="CLICKHOUSE_CLUSTER_SECRET"\/>/g)).to.have.length(1);
    }
    expect(
      [...read('clickhouse/deploy/shards.xml').matchAll(/<host>([^<]+)</g)].slice(0, 2).map(([, host]) => host),
    ).to.deep.equal(hosts);
  });
});
