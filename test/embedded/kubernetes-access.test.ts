import { join } from 'node:path';
import { expect } from 'chai';
import {
  base,
  containers,
  exampleOf,
  kustomizationOf,
  OVERLAYS,
  read,
  ROOT,
  settings,
  type Selector,
} from '../support/manifests.js';

const pods = base.flatMap(({ spec: { template } }) => template ?? []);

describe('access in the manifests for Kubernetes', () => {
  it('gives the admin token to the API alone', () => {
    for (const overlay of OVERLAYS) {
      const secrets = (kustomizationOf(overlay).secretGenerator ?? []).filter(({ envs }) =>
        envs.some((file) => 'ADMIN_TOKEN' in exampleOf(overlay, file)),
      );
      expect(secrets.map(({ name }) => name)).to.deep.equal(['profit-admin']);
    }
    const holders = containers.filter(({ envFrom }) =>
      envFrom.some(({ secretRef }) => secretRef?.name === 'profit-admin'),
    );
    expect(holders.map(({ name }) => name)).to.deep.equal(['api']);
    expect(Object.keys(settings)).not.to.include('ADMIN_TOKEN');
  });

  it('lets nobody connect to a pod but who needs it, by a policy for each', () => {
    const policies = base.filter(({ kind }) => kind === 'NetworkPolicy');
    const labelsOf = (selector: Selector | undefined) =>
      Object.entries(selector?.matchLabels ?? {})
        .map(String)
        .join();
    const open = policies.flatMap(({ spec: { podSelector, ingress = [] } }) =>
      ingress.flatMap(({ from, ports }) =>
        from.flatMap((peer) =>
          ports.map(
            ({ port }) => `${labelsOf(peer.podSelector ?? peer.namespaceSelector)} to ${labelsOf(podSelector)} ${port}`,
          ),
        ),
      ),
    );
    // An empty list would let everybody in.
    for (const { from, ports } of policies.flatMap(({ spec: { ingress = [] } }) => ingress)) {
      expect(from).not.to.deep.equal([]);
      expect(ports).not.to.deep.equal([]);
    }
    const namespace = 'kubernetes.io/metadata.name';
    expect(open).to.have.members([
      `${namespace},ingress-nginx to app,api ${settings.PORT}`,
      `${namespace},monitoring to app,api ${settings.METRICS_PORT}`,
      `${namespace},monitoring to app,worker ${settings.METRICS_PORT}`,
      'app,api to app,clickhouse 8123',
      'app,worker to app,clickhouse 8123',
      'app,clickhouse to app,clickhouse 9000',
      'app,api to app,redis 6379',
      'app,worker to app,redis 6379',
    ]);
    for (const { metadata, spec } of pods) {
      const [policy, ...others] = policies.filter(
        ({ spec: { podSelector } }) => labelsOf(podSelector) === Object.entries(metadata.labels).map(String).join(),
      );
      expect(others).to.deep.equal([]);
      const opened = policy?.spec.ingress?.flatMap(({ ports }) => ports.map(({ port }) => port)) ?? [];
      const listening = spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
      expect(opened, JSON.stringify(metadata.labels)).to.have.members(listening);
    }
    expect(policies).to.have.length(pods.length);
    const named = read(join(ROOT, 'overlays/cluster/shards.xml')).matchAll(/<port>(\d+)</g);
    expect(new Set([...named].map(([, port]) => port))).to.deep.equal(new Set(['9000']));
  });

  it('runs no container as root, with more privileges than it needs, or without a limit of memory', () => {
    for (const { spec, metadata } of pods) {
      expect(spec, JSON.stringify(metadata)).to.deep.include({ automountServiceAccountToken: false });
      expect(spec.securityContext).to.deep.include({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
    for (const { name, securityContext, resources } of containers) {
      expect(securityContext.allowPrivilegeEscalation, name).to.equal(false);
      expect(securityContext.capabilities.drop, name).to.deep.equal(['ALL']);
      expect(resources.limits.memory, name).to.match(/^[0-9]+[KMGT]i$/);
    }
    const added = containers.flatMap(({ securityContext: { capabilities } }) => capabilities.add ?? []);
    expect(added).to.deep.equal(['SYS_NICE']);
  });
});
