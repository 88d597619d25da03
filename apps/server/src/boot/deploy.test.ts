import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Metrics } from '../runtime/observability/metrics.ts';
import { readSettings } from './settings/read-settings.ts';

const project = fileURLToPath(new URL('../../../../', import.meta.url));
const here = join(project, 'deploy');
const read = (path: string) => readFileSync(join(here, path), 'utf8');

describe('the image', () => {
  const dockerfile = read('docker/Dockerfile');
  const steps = dockerfile
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = steps.slice(steps.findLastIndex((line) => line.startsWith('FROM ')));

  test('starts from the exact version of Node that the project pins', () => {
    const pinned = (JSON.parse(read('../package.json')) as { devDependencies: { node: string } })
      .devDependencies.node;
    const bases = steps.filter((line) => line.startsWith('FROM '));
    expect(bases).toHaveLength(3);
    for (const base of bases) expect(base).toContain(`node:${pinned}-`);
  });

  test('runs as an unprivileged user, declares its volume and health check, and contains no secret', () => {
    expect(last).toContainEqual('USER 10001:10001');
    expect(last).toContainEqual('VOLUME ["/data", "/tmp"]');
    expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
      last.findIndex((line) => line.startsWith('ENTRYPOINT ')),
    );
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(SECRET|PASSWORD|KEY|TOKEN)/im);
    expect(dockerfile).not.toMatch(/curl|wget|apt-get|npm install /);
  });

  test('copies the project without build output and local files', () => {
    for (const folder of ['apps/web', 'bench', 'conformance', 'e2e', 'fixtures', 'docs', 'deploy']) {
      expect(existsSync(join(project, folder)), folder).toBe(true);
    }
    const ignored = read('docker/Dockerfile.dockerignore').split('\n');
    expect(ignored).toContain('.git');
    // Names without a slash may be in any folder.
    for (const line of read('../.gitignore').split('\n').filter(Boolean)) {
      const path = line.replace(/^\/|\/$/g, '');
      expect(ignored.includes(path) || ignored.includes(`**/${path}`), line).toBe(true);
    }
    expect(existsSync(join(project, /CMD \["(apps\S+)"\]/.exec(dockerfile)![1]!))).toBe(true);
  });
});

interface Service {
  environment?: Record<string, string>;
  read_only?: boolean;
  depends_on?: Record<string, unknown>;
  image?: string;
  ports?: string[];
}

describe('compose', () => {
  const compose = parse(read('compose/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
    networks: { default: { ipam: { config: unknown } } };
  };
  const { services } = compose;
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name: string) => variables[name] ?? '');
  const variables: Record<string, string> = {
    POSTGRES_PASSWORD: 'secret',
    S3_KEY: 'key',
    S3_SECRET: 'secret',
    SITE_URL: 'https://cells.example.org',
  };

  test.each(['api', 'worker'])('the settings of the %s processes are settings of the server', (name) => {
    const { environment = {}, read_only } = services[name]!;
    const settings = readSettings(
      Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)])),
    );
    expect(settings).toMatchObject({ role: name, trustsEveryCaller: false, metrics: { port: 9464 } });
    expect(settings.databaseUrl).toContain('@postgres:5432/');
    expect(read_only).toBe(true);
    const envExample = read('../.env.example');
    for (const key of Object.keys(environment))
      expect(envExample, key).toMatch(new RegExp(`^#? ?${key}=`, 'm'));
  });

  test('secrets have no default, images have versions, and only the proxy publishes ports', () => {
    const text = read('compose/compose.yaml');
    const requiredNames = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const template = read('compose/.env.example');
    for (const name of requiredNames) expect(template).toMatch(new RegExp(`^${name}=`, 'm'));
    for (const [name, { image = '', ports }] of Object.entries(services)) {
      expect(image, name).toMatch(/^cellfolio$|:\d[\w.-]*\}?$/);
      expect(ports === undefined, name).toBe(name !== 'proxy');
    }
  });

  test('the server believes the address of the proxy alone', () => {
    const proxy = (services['proxy'] as { networks?: { default: { ipv4_address: string } } }).networks!;
    expect(services['api']!.environment!['TRUST_PROXY']).toBe(proxy.default.ipv4_address);
    const [, address, subnet, others] = /:-([\d.]+)\}.*:-([\d./]+)\}.*:-([\d./]+)\}/.exec(
      JSON.stringify([proxy.default.ipv4_address, compose.networks.default.ipam.config]),
    )!;
    expect(isIn(subnet!, address!)).toBe(true);
    expect(isIn(others!, address!)).toBe(false);
  });

  test('services depend on services that exist', () => {
    for (const { depends_on = {} } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(services)).toContain(name);
    }
  });
});

describe('the chart', () => {
  const values = parse(read('helm/cellfolio/values.yaml')) as Record<string, unknown>;
  const templates = readdirSync(join(here, 'helm/cellfolio/templates')).map((name) => ({
    name,
    text: read(`helm/cellfolio/templates/${name}`),
  }));

  test('its own files are valid', () => {
    expect(parse(read('helm/cellfolio/Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'cellfolio' });
    expect(JSON.parse(read('helm/cellfolio/values.schema.json'))).toHaveProperty('properties.api');
  });

  test.each(templates)('$name has balanced blocks and uses only existing values', ({ text }) => {
    const opened = [...text.matchAll(/\{\{-?\s*(if|range|with|define)\b/g)].length;
    const closed = [...text.matchAll(/\{\{-?\s*end\b/g)].length;
    expect(closed).toBe(opened);
    for (const [, path] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const chartValue = path!
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], values);
      expect(chartValue, path).toBeDefined();
    }
    for (const [, path] of text.matchAll(/\$of\.([\w.]+)/g)) {
      for (const role of ['api', 'worker']) {
        const chartValue = `${role}.${path}`
          .split('.')
          .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], values);
        expect(chartValue, `${role}.${path}`).toBeDefined();
      }
    }
  });

  test('without its template actions it is YAML of the expected kinds', () => {
    const kinds = templates
      .filter(({ name }) => name.endsWith('.yaml'))
      .flatMap(({ text }) => {
        // An action on a line of its own is removed; one within a value becomes a word.
        const plain = text.replace(/^\s*\{\{-?.*\}\}\s*$/gm, '').replace(/\{\{[^}]*\}\}/g, 'word');
        return parseAllDocuments(plain).flatMap((document) => {
          expect(document.errors).toEqual([]);
          const { kind } = (document.toJSON() ?? {}) as { kind?: string };
          return kind ? [kind] : [];
        });
      });
    expect(new Set(kinds)).toEqual(
      new Set([
        'Deployment',
        'HorizontalPodAutoscaler',
        'Ingress',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'PodMonitor',
        'Service',
        'ServiceAccount',
      ]),
    );
  });
});

function isIn(network: string, address: string): boolean {
  const list = new BlockList();
  const [start, length] = network.split('/');
  list.addSubnet(start!, Number(length));
  return list.check(address);
}

describe('the port of the site in the chart', () => {
  const policy = read('helm/cellfolio/templates/network-policy.yaml');
  const { ingress, metrics } = parse(read('helm/cellfolio/values.yaml')) as {
    ingress: { proxyAddresses: string[]; from: object[] };
    metrics: { from: object[] };
  };

  test('is for the pods of the ingress controller, that of the metrics for those of Prometheus', () => {
    // A rule with ports and without peers would be for everybody.
    const rules = policy.slice(policy.indexOf('  ingress:'), policy.indexOf('  egress:'));
    const blocks = [
      ...rules.matchAll(/\{\{- with (\S+) \}\}\n +- from:\n.*\n +ports:\n +- port: (\w+)\n +\{\{- end/g),
    ];
    expect(blocks.map(([, peers, port]) => [peers, port])).toEqual([
      ['.Values.ingress.from', 'http'],
      ['.Values.metrics.from', 'metrics'],
    ]);
    expect(rules.match(/- port:/g)).toHaveLength(2);
    for (const peer of [...ingress.from, ...metrics.from]) {
      expect(peer).toMatchObject({ namespaceSelector: expect.anything(), podSelector: expect.anything() });
    }
  });

  test('has no proxy by default, since its address differs, and must name one with the ingress', () => {
    expect(ingress.proxyAddresses).toEqual([]);
    const schema = JSON.parse(read('helm/cellfolio/values.schema.json')) as {
      properties: {
        ingress: { if: object; then: object; properties: { proxyAddresses: { items: { pattern: string } } } };
        settings: { propertyNames: { not: { enum: string[] } } };
      };
    };
    const { if: condition, then: rule } = schema.properties.ingress;
    expect([condition, rule]).toEqual([
      { properties: { enabled: { const: true } } },
      { properties: { proxyAddresses: { minItems: 1 }, from: { minItems: 1 } } },
    ]);
    const pattern = new RegExp(schema.properties.ingress.properties.proxyAddresses.items.pattern);
    expect(
      ['10.0.0.7', '10.244.0.0/16', 'fd00::/8', '0.0.0.0/0', '::/0', 'true'].map((one) => pattern.test(one)),
    ).toEqual([true, true, true, false, false, false]);
    const own = [...read('helm/cellfolio/templates/deployments.yaml').matchAll(/- name: ([A-Z_]+)$/gm)];
    expect(schema.properties.settings.propertyNames.not.enum.sort()).toEqual(
      own.map(([, name]) => name).sort(),
    );
  });
});

const helm = spawnSync('helm', ['version']).status === 0;
if (!helm) console.warn('SKIPPED: helm is not here, so the chart was read as text and not rendered.');

describe.skipIf(!helm)('the chart, rendered by helm', () => {
  const render = (...more: string[]) =>
    spawnSync('helm', ['template', 'lab', join(here, 'helm/cellfolio'), ...more], { encoding: 'utf8' });

  test('is refused without the addresses of the proxies', () => {
    const { status, stderr } = render();
    expect([status, stderr]).toEqual([1, expect.stringContaining("at '/ingress/proxyAddresses': minItems")]);
  });

  test('believes the proxies that it names', () => {
    const { stdout } = render('--set', 'ingress.proxyAddresses={10.244.0.0/16,fd00::/8}');
    const documents = parseAllDocuments(stdout).map((one) => one.toJSON() as { kind: string; spec: object });
    const pods = documents.filter(({ kind }) => kind === 'Deployment');
    expect(pods).toHaveLength(2);
    for (const { spec } of pods) {
      expect(JSON.stringify(spec)).toContain('{"name":"TRUST_PROXY","value":"10.244.0.0/16,fd00::/8"}');
    }
    const policy = documents.find(({ kind }) => kind === 'NetworkPolicy')!.spec as {
      ingress: { from: object[] }[];
    };
    expect(policy.ingress.map(({ from }) => from.length)).toEqual([1, 1]);
  });

  test('trusts no proxy and admits no pod without ingress and peers', () => {
    const { stdout } = render(
      '--set-json',
      'ingress={"enabled":false,"from":[]}',
      '--set-json',
      'metrics.from=[]',
    );
    const documents = parseAllDocuments(stdout).map((one) => one.toJSON() as { kind: string; spec: object });
    expect(stdout).toMatch(/TRUST_PROXY\n +value: "false"/);
    expect(documents.find(({ kind }) => kind === 'NetworkPolicy')!.spec).toMatchObject({ ingress: null });
  });
});

test('pods may reach all addresses for DNS only, and never the metadata service of a cloud', () => {
  const template = read('helm/cellfolio/templates/network-policy.yaml');
  const plain = template.replace(/^\s*\{\{-?.*\}\}\s*$/gm, '').replace(/\{\{[^}]*\}\}/g, 'word');
  const { spec } = parse(plain) as {
    spec: { egress: { to?: { ipBlock?: { except: string[] } }[]; ports: { port: unknown }[] }[] };
  };
  const anywhere = spec.egress.filter(({ to }) => !to);
  expect(anywhere.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53]);
  const blocks = spec.egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
  expect(blocks.length).toBeGreaterThan(0);
  for (const { except } of blocks) expect(except.join()).toMatch(/169\.254\.0\.0\/16|fd00:ec2::254/);
});

test('the dashboard and the alerts of docs/operate.md use existing metrics', () => {
  const metrics = new Metrics();
  metrics.watchCalls({
    computeThreads: 1,
    tasksWaiting: () => 0,
    callsRunning: () => 0,
    callsWaiting: () => 0,
    caches: () => [],
  });
  metrics.watchDatabase({
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
    jobs: async () => [],
    tables: async () => [],
  });
  const dashboard = JSON.parse(read('grafana/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const named = (text: string) => text.match(/\b(?:cellfolio|process|nodejs)_\w+/g) ?? [];
  const used = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => named(expr)));
  expect(used.length).toBeGreaterThan(20);
  used.push(...named(read('../docs/operate.md')));
  const existing = new Set(
    metrics.names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
  );
  for (const name of used) expect(existing, name).toContain(name);
});
