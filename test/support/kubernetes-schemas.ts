import { Type, type TSchema } from 'typebox';

/**
 * The kinds of manifests under `clickhouse/deploy/kubernetes`, with the fields that stand there and no others: a field that is
 * spelt or placed wrongly is refused, as the API server would.
 */
const strict = (properties: Record<string, TSchema>): TSchema =>
  Type.Object(properties, { additionalProperties: false });
const optional = (schema: TSchema): TSchema => Type.Optional(schema);
const name = Type.String({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
const quantity = Type.String({ pattern: '^[0-9]+(m|[KMGT]i)?$' });
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const labels = Type.Record(Type.String(), Type.String());
const metadata = strict({ name });
const selector = strict({ matchLabels: labels });

const manifest = (apiVersion: string, kind: string, spec: TSchema): TSchema =>
  strict({ apiVersion: Type.Literal(apiVersion), kind: Type.Literal(kind), metadata, spec });

const probe = strict({
  httpGet: optional(strict({ path: Type.String({ pattern: '^/' }), port: name })),
  exec: optional(strict({ command: Type.Array(Type.String(), { minItems: 1 }) })),
  periodSeconds: Type.Integer({ minimum: 1 }),
  timeoutSeconds: optional(Type.Integer({ minimum: 1 })),
  failureThreshold: optional(Type.Integer({ minimum: 1 })),
});

const amounts = strict({ cpu: optional(quantity), memory: quantity });

const container = strict({
  name,
  image: Type.String({ pattern: '^[a-z/-]+:[\\w.-]+$' }),
  command: optional(Type.Array(Type.String(), { minItems: 1 })),
  envFrom: Type.Array(strict({ configMapRef: optional(strict({ name })), secretRef: optional(strict({ name })) }), {
    minItems: 1,
  }),
  env: optional(
    Type.Array(
      strict({
        name: Type.String({ pattern: '^[A-Z_]+$' }),
        value: optional(Type.String()),
        valueFrom: optional(
          strict({
            secretKeyRef: strict({ name, key: Type.String({ pattern: '^[A-Z_]+$' }), optional: Type.Boolean() }),
          }),
        ),
      }),
    ),
  ),
  ports: optional(Type.Array(strict({ name, containerPort: port }))),
  securityContext: strict({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: optional(Type.Literal(true)),
    capabilities: strict({
      drop: Type.Tuple([Type.Literal('ALL')]),
      add: Type.Optional(Type.Tuple([Type.Literal('SYS_NICE')])),
    }),
  }),
  startupProbe: optional(probe),
  livenessProbe: optional(probe),
  readinessProbe: optional(probe),
  resources: strict({ requests: amounts, limits: amounts }),
  volumeMounts: Type.Array(
    strict({
      name,
      mountPath: Type.String({ pattern: '^/' }),
      subPath: optional(Type.String()),
      readOnly: optional(Type.Boolean()),
    }),
  ),
});

const template = strict({
  metadata: strict({ labels }),
  spec: strict({
    automountServiceAccountToken: Type.Literal(false),
    terminationGracePeriodSeconds: Type.Integer({ minimum: 1 }),
    securityContext: strict({
      runAsNonRoot: Type.Literal(true),
      runAsUser: Type.Integer({ minimum: 1 }),
      runAsGroup: Type.Integer({ minimum: 1 }),
      fsGroup: optional(Type.Integer({ minimum: 1 })),
      seccompProfile: strict({ type: Type.Literal('RuntimeDefault') }),
    }),
    initContainers: optional(Type.Array(container)),
    containers: Type.Array(container, { minItems: 1, maxItems: 1 }),
    volumes: Type.Array(strict({ name, emptyDir: optional(strict({})), configMap: optional(strict({ name })) })),
  }),
});

const replicas = Type.Integer({ minimum: 1 });

/** By kind. */
export const MANIFESTS: Readonly<Record<string, TSchema>> = {
  Service: manifest(
    'v1',
    'Service',
    strict({
      clusterIP: optional(Type.Literal('None')),
      publishNotReadyAddresses: optional(Type.Boolean()),
      selector: labels,
      ports: Type.Array(strict({ name, port }), { minItems: 1 }),
    }),
  ),
  Deployment: manifest(
    'apps/v1',
    'Deployment',
    strict({
      replicas,
      selector,
      template,
      strategy: strict({ rollingUpdate: strict({ maxUnavailable: Type.Literal(0), maxSurge: Type.Literal(1) }) }),
    }),
  ),
  StatefulSet: manifest(
    'apps/v1',
    'StatefulSet',
    strict({
      serviceName: name,
      replicas,
      selector,
      template,
      podManagementPolicy: optional(Type.Literal('Parallel')),
      volumeClaimTemplates: Type.Array(
        strict({
          metadata,
          spec: strict({
            accessModes: Type.Tuple([Type.Literal('ReadWriteOnce')]),
            resources: strict({ requests: strict({ storage: quantity }) }),
          }),
        }),
      ),
    }),
  ),
  PodDisruptionBudget: manifest('policy/v1', 'PodDisruptionBudget', strict({ minAvailable: replicas, selector })),
  NetworkPolicy: manifest(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    strict({
      podSelector: selector,
      policyTypes: Type.Tuple([Type.Literal('Ingress')]),
      ingress: Type.Array(
        strict({
          // An empty list would let everybody in.
          from: Type.Array(Type.Union([strict({ podSelector: selector }), strict({ namespaceSelector: selector })]), {
            minItems: 1,
          }),
          ports: Type.Array(strict({ port }), { minItems: 1 }),
        }),
      ),
    }),
  ),
  Kustomization: strict({
    apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
    kind: Type.Literal('Kustomization'),
    namespace: optional(name),
    resources: optional(Type.Array(Type.String())),
    configMapGenerator: optional(
      Type.Array(
        strict({
          name,
          literals: optional(Type.Array(Type.String({ pattern: '^[A-Z_]+=' }))),
          files: optional(Type.Array(Type.String())),
        }),
      ),
    ),
    secretGenerator: optional(Type.Array(strict({ name, envs: Type.Array(Type.String()) }))),
    labels: optional(Type.Array(strict({ pairs: labels }))),
    patches: optional(Type.Array(strict({ path: Type.String() }))),
    replicas: optional(Type.Array(strict({ name, count: replicas }))),
  }),
};
