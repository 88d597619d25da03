import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { functionsSettings } from '../../runtime/functions/functions-settings.ts';
import { describe, expect, test } from 'vitest';
import { readSettings, settingNames } from './read-settings.ts';
import { InvalidSettings } from './setting-types.ts';

test('an empty environment gives a loopback demo on port 3000 with its data beside it', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    logLevel: 'warn',
  });
  expect(settings.objectRoot).toBe(resolve('data/objects'));
});

test('with a database server or another host than loopback there is no demo by default', () => {
  expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject({ demo: false, logLevel: 'info' });
  expect(readSettings({ DATABASE_URL: 'postgres://db/cellfolio' }).demo).toBe(false);
});

test('behind a proxy there is no demo by default, as its accounts would be public', () => {
  expect(readSettings({ SITE_URL: 'https://cells.example.org' }).demo).toBe(false);
  expect(readSettings({ TRUST_PROXY: 'true' }).demo).toBe(false);
  expect(readSettings({ SITE_URL: 'http://localhost:3000' }).demo).toBe(true);
  expect(readSettings({ SITE_URL: 'http://[::1]:3000' }).demo).toBe(true);
});

test('TRUST_PROXY is the addresses of the proxies, a flag for one, or their number', () => {
  const trusted = ['', 'false', '0', 'true', '2', '10.0.0.7', '10.244.0.0/16, fd00::/8'].map(
    (setting) => readSettings({ TRUST_PROXY: setting }).trustedProxies,
  );
  expect(trusted).toEqual([0, 0, 0, 1, 2, ['10.0.0.7'], ['10.244.0.0/16', 'fd00::/8']]);
});

test.each([
  [{ HOST: '0.0.0.0', TRUST_PROXY: 'true' }, true],
  [{ HOST: '::', TRUST_PROXY: '2' }, true],
  [{ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.7' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ TRUST_PROXY: 'true' }, false],
])('with %o every caller that reaches the port is trusted: %s', (environment, everybody) => {
  expect(readSettings(environment).trustsEveryCaller).toBe(everybody);
});

test.each([
  [{ PORT: 'abc' }, /^PORT: /],
  [{ PORT: '70000' }, /^PORT: /],
  [{ DATABASE_URL: 'mysql://db' }, /^DATABASE_URL: /],
  [{ OBJECT_STORE_URL: 'gs://bucket' }, /^OBJECT_STORE_URL: must start with file: or s3:/],
  [{ TRIAL_DAYS: '0' }, /^TRIAL_DAYS: /],
  [{ USER_STORAGE_GB: '0' }, /^USER_STORAGE_GB: /],
  [{ DEMO: 'yes' }, /^DEMO: /],
  [{ SITE_URL: 'cellfolio.org' }, /^SITE_URL: /],
  [{ GENE_SET_URL: 'ftp://sets.example.org' }, /^GENE_SET_URL: /],
  [{ EMBED_ORIGINS: '*' }, /^EMBED_ORIGINS: must be origins such as/],
  [{ EMBED_ORIGINS: 'https://portal.example.org/page' }, /^EMBED_ORIGINS: must be origins such as/],
  [{ HOST: '0.0.0.0', DEMO: 'true' }, /^DEMO: demo accounts are allowed on loopback only/],
  [
    { SITE_URL: 'https://cells.example.org', DEMO: 'true' },
    /^DEMO: demo accounts are allowed on loopback only/,
  ],
  [{ TRUST_PROXY: 'true', DEMO: 'true' }, /^DEMO: demo accounts are allowed on loopback only/],
  [
    { TRUST_PROXY: 'proxy.example.org' },
    /^TRUST_PROXY: must be false, the addresses or networks of the proxies/,
  ],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: must be false, the addresses/],
  [{ TRUST_PROXY: '10.0.0.1,' }, /^TRUST_PROXY: must be false, the addresses/],
  [{ TRUST_PROXY: '10.0.0.1, 0.0.0.0/0' }, /^TRUST_PROXY: 0\.0\.0\.0\/0 has every address/],
  [{ TRUST_PROXY: '::/0' }, /^TRUST_PROXY: ::\/0 has every address/],
])('an invalid value stops the start with its name in one line: %o', (environment, message) => {
  const read = () => readSettings(environment);
  expect(read).toThrow(InvalidSettings);
  expect(read).toThrow(message);
});

test.each([
  { DATABASE_URL: 'mysql://owner:hunter2@db/cellfolio' },
  { OBJECT_STORE_URL: 's3://KEY:hunter2@s3.example.org' },
  { OBJECT_STORE_URL: 'gs://KEY:hunter2@bucket' },
  { SMTP_URL: 'http://name:hunter2@mail.example.org' },
  { API_KEY_JWKS: 'hunter2' },
  { API_KEY_JWKS: '{"keys":[{"kty":"none","k":"hunter2"}]}' },
  { STRIPE_SECRET_KEY: 'hunter2' },
  { AI_API_KEY: 'hunter2' },
  { CAPTCHA_SECRET: 'hunter2' },
  { GITHUB_CLIENT_SECRET: 'hunter2' },
  { SMS_WEBHOOK_URL: 'ftp://hunter2.example.org' },
])('the error of an invalid setting does not contain its value, which may be a secret: %o', (environment) => {
  const read = () => readSettings(environment);
  expect(read).toThrow(InvalidSettings);
  expect(read).not.toThrow(/hunter2/);
});

test('an empty value counts as not set', () => {
  expect(readSettings({ PORT: '', SITE_URL: '' }).port).toBe(3000);
  const { functions } = readSettings({
    AI_PROVIDER: '',
    STRIPE_SECRET_KEY: '',
    CONTACT_EMAIL: '',
    DEMO: 'false',
  });
  expect(functions).toMatchObject({ contactEmail: 'no-reply@localhost' });
  expect(functions.payments).toBeUndefined();
});

test('file addresses may be relative or absolute, and a trailing slash of the site is dropped', () => {
  expect(readSettings({ OBJECT_STORE_URL: 'file:///srv/objects' }).objectRoot).toBe('/srv/objects');
  expect(readSettings({ OBJECT_STORE_URL: 'file:store' }).objectRoot).toBe(resolve('store'));
  expect(readSettings({ SITE_URL: 'https://cells.example.org/' }).siteUrl).toBe('https://cells.example.org');
});

test('gene-set libraries are fetched from Enrichr unless a mirror is configured', () => {
  expect(readSettings({}).geneSetUrl).toBe('https://maayanlab.cloud/Enrichr');
  expect(readSettings({ GENE_SET_URL: 'http://10.0.0.7:8080/Enrichr/' }).geneSetUrl).toBe(
    'http://10.0.0.7:8080/Enrichr',
  );
});

describe('the documentation of settings', () => {
  const read = (path: string) =>
    readFileSync(fileURLToPath(new URL(`../../../../../${path}`, import.meta.url)), 'utf8');
  const lines = read('.env.example')
    .split('\n')
    .flatMap((line) => {
      const [, comment, name, value] = /^(# )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, value: value!, isComment: comment !== undefined }];
    });
  const documented = new Set(lines.map(({ name }) => name));
  /** Names chosen by the operator, and variables of OpenTelemetry and the C library. */
  const others = /^(?:OIDC_INSTITUTE|OTEL|MALLOC)_/;

  test('.env.example has exactly the settings of the server', () => {
    expect([...documented].filter((name) => !others.test(name)).toSorted()).toEqual(
      [...settingNames].toSorted(),
    );
  });

  test('the values in .env.example are the defaults', () => {
    const set = lines.filter(({ isComment }) => !isComment);
    expect(set.length).toBeGreaterThan(15);
    const effective = (environment: Record<string, string>) => {
      const settings = readSettings(environment);
      return { ...settings, functions: functionsSettings.parse(settings.functions) };
    };
    for (const { name, value } of set) expect(effective({ [name]: value }), name).toEqual(effective({}));
  });

  test.each(['docs/operate.md', 'docs/security.md', 'README.md'])(
    '%s names only existing settings',
    (path) => {
      const named = read(path).match(/`[A-Z][A-Z0-9]+_[A-Z0-9_]+(?=[=`])/g) ?? [];
      for (const name of named.map((one) => one.slice(1))) {
        expect(
          documented.has(name) || others.test(name) || settingNames.some((one) => one.startsWith(name)),
          name,
        ).toBe(true);
      }
    },
  );
});
