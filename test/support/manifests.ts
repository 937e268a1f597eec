import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = 'clickhouse/deploy/kubernetes';
export const OVERLAYS = ['single', 'cluster'].map((name) => join(ROOT, 'overlays', name));
export const KUSTOMIZED = ['clickhouse/server', join(ROOT, 'base'), ...OVERLAYS];

interface Container {
  name: string;
  image: string;
  command?: string[];
  ports?: { containerPort: number; name: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities: { drop: string[]; add?: string[] };
  };
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; subPath?: string }[];
}

export interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        automountServiceAccountToken: boolean;
        securityContext: object;
        initContainers?: Container[];
        containers: Container[];
        volumes: { name: string; configMap?: { name: string } }[];
      };
    };
    selector?: { matchLabels?: Record<string, string> };
    podSelector?: Selector;
    ingress?: { from: { podSelector?: Selector; namespaceSelector?: Selector }[]; ports: { port: number }[] }[];
  };
}

export interface Selector {
  matchLabels: Record<string, string>;
}

interface Kustomization {
  resources?: string[];
  configMapGenerator?: { name: string; literals?: string[]; files?: string[] }[];
  secretGenerator?: { name: string; envs: string[] }[];
  patches?: { path: string }[];
}

export const read = (path: string): string => readFileSync(path, 'utf8');
const documentsOf = (path: string): unknown[] =>
  parseAllDocuments(read(path), { uniqueKeys: true }).map((document) => {
    expect(document.errors, path).to.deep.equal([]);
    return document.toJS() as unknown;
  });
export const kustomizationOf = (folder: string): Kustomization =>
  parse(read(join(folder, 'kustomization.yaml'))) as Kustomization;
export const base = readdirSync(join(ROOT, 'base'))
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  .flatMap((file) => documentsOf(join(ROOT, 'base', file)) as Manifest[]);
const containersOf = ({ spec }: Manifest): Container[] => [
  ...(spec.template?.spec.initContainers ?? []),
  ...(spec.template?.spec.containers ?? []),
];
export const containers = base.flatMap(containersOf);
export const containerOf = (name: string): Container | undefined =>
  containers.find((container) => container.name === name);
/** Lines `NAME=value` that are not commented out. */
const variablesOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
export const exampleOf = (folder: string, file: string): Record<string, string> =>
  variablesOf(read(join(folder, `${file}.example`)).split('\n'));
export const settings = variablesOf(kustomizationOf(join(ROOT, 'base')).configMapGenerator?.[0]?.literals ?? []);
