import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { InvalidSettings, readSettings } from './environment.ts';

test('an empty environment gives a loopback demo on port 3000 with its data beside it', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    trialDays: 7,
    logLevel: 'warn',
  });
  expect(settings.objectRoot).toBe(resolve('data/objects'));
});

test('a database server or another host than loopback is never a demo by itself', () => {
  expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject({ demo: false, logLevel: 'info' });
  expect(readSettings({ DATABASE_URL: 'postgres://db/cellfolio' }).demo).toBe(false);
});

test.each([
  [{ PORT: 'abc' }, /^PORT: /],
  [{ PORT: '70000' }, /^PORT: /],
  [{ DATABASE_URL: 'mysql://db' }, /^DATABASE_URL: /],
  [{ OBJECT_STORE_URL: 's3://bucket' }, /^OBJECT_STORE_URL: must start with file:/],
  [{ TRIAL_DAYS: '0' }, /^TRIAL_DAYS: /],
  [{ DEMO: 'yes' }, /^DEMO: /],
  [{ SITE_URL: 'cellfolio.org' }, /^SITE_URL: /],
  [{ HOST: '0.0.0.0', DEMO: 'true' }, /^DEMO: demo accounts are for loopback only/],
])('a wrong value stops the start with one line that names it: %o', (environment, message) => {
  const read = () => readSettings(environment);
  expect(read).toThrow(InvalidSettings);
  expect(read).toThrow(message);
});

test('an empty value counts as not set', () => {
  expect(readSettings({ PORT: '', SITE_URL: '' }).port).toBe(3000);
});

test('file addresses are read relative or absolute, and a closing slash of the site is dropped', () => {
  expect(readSettings({ OBJECT_STORE_URL: 'file:///srv/objects' }).objectRoot).toBe('/srv/objects');
  expect(readSettings({ OBJECT_STORE_URL: 'file:store' }).objectRoot).toBe(resolve('store'));
  expect(readSettings({ SITE_URL: 'https://cells.example.org/' }).siteUrl).toBe('https://cells.example.org');
});
