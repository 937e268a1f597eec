import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { versionFault, versionWarning } from '../../src/domain/store-versions.js';
import { API_NODE_OPTIONS } from '../../src/embedded/supervisor/services.js';

const text = readFileSync('docker-compose.yml', 'utf8');
const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

describe('docker-compose.yml', () => {
  it('mounts files that are there', () => {
    const mounted = all(/^\s+- \.\/([^:]+):/gm);
    expect(mounted).to.have.length.above(2);
    expect(mounted.filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  it('copies into the image what is there, and runs what the build makes', () => {
    const copied = all(/^\s+COPY (?!--from)(.+) \S+$/gm).flatMap((paths) => paths.split(' '));
    const scripts = all(/\b(dist\/[\w/-]+\.m?js)\b/g);
    expect(copied).to.include('package-lock.json').and.include('src');
    expect(new Set(scripts)).to.have.property('size', 4);
    const sources = scripts.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    expect([...copied, ...sources].filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  it('pins full versions of the stores, with no known hole', () => {
    const [clickhouse, redis] = [all(/clickhouse-server:(\S+)/g), all(/redis:(\d\S+)-alpine/g)].map(
      (list) => list[0] ?? '',
    );
    expect(clickhouse).to.match(/^\d+\.\d+\.\d+\.\d+$/);
    expect(redis).to.match(/^\d+\.\d+\.\d+$/);
    for (const store of [
      { program: 'ClickHouse', version: clickhouse ?? '', at: '' },
      { program: 'Redis', version: redis ?? '', at: '' },
    ] as const)
      expect(versionFault(store) ?? versionWarning(store)).to.equal(undefined);
  });

  it('starts the API with the options that the supervisor gives it', () => {
    expect(text).to.include(`[node, --enable-source-maps, ${API_NODE_OPTIONS.join(', ')}, dist/src/main.js]`);
  });

  it('gives the admin token to the API alone', () => {
    expect(all(/^ +(ADMIN_TOKEN): /gm)).to.have.length(1);
    expect(text.slice(text.indexOf('\n  api:'), text.indexOf('\n  worker:'))).to.match(/^ +ADMIN_TOKEN: /m);
  });

  it('holds no secret and demands each', () => {
    for (const name of ['CLICKHOUSE_PASSWORD', 'REDIS_PASSWORD', 'ADMIN_TOKEN']) {
      expect(text).to.match(new RegExp(`\\$\\{${name}:\\?`));
      expect(text).not.to.match(new RegExp(`\\$\\{${name}(\\}|:?-)`));
    }
  });

  it('publishes the engines on loopback alone, and the API unless an address is given', () => {
    const published = all(/^\s+- ['"]([^'"]+:\d+)['"]$/gm);
    const wide = published.filter((port) => !port.startsWith('127.0.0.1:'));
    expect(published.filter((port) => /:(8123|9000)$/.test(port))).to.have.length(2);
    expect(wide).to.deep.equal(['${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-3000}:3000']);
  });

  it('runs the service and Redis without root, rights of the kernel or files that they could change', () => {
    const service = text.slice(text.indexOf('x-service:'), text.indexOf('\nservices:'));
    const redis = text.slice(text.indexOf('\n  redis:'), text.indexOf('\n  migrate:'));
    expect(service).to.match(/^ +USER node$/m);
    expect(redis).to.match(/^ +user: redis$/m);
    for (const block of [service, redis]) {
      expect(block).to.match(/^ +read_only: true$/m);
      expect(block).to.match(/^ +cap_drop: \[ALL\]$/m);
      expect(block).to.match(/^ +security_opt: \['no-new-privileges:true'\]$/m);
      expect(block).not.to.match(/cap_add|privileged: true/);
    }
    const own = all(/^ {2}(\w+):\n {4}<<: \*service$/gm);
    expect(own).to.include.members(['migrate', 'api', 'worker']);
  });
});
