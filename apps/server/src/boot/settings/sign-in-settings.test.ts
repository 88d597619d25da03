import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { InvalidSettings } from './setting-types.ts';
import { readSignInSettings } from './sign-in-settings.ts';

const institute = {
  OIDC_MY_INSTITUTE_ISSUER: 'https://login.example.org/realms/main',
  OIDC_MY_INSTITUTE_CLIENT_ID: 'cellfolio',
  OIDC_MY_INSTITUTE_CLIENT_SECRET: 'secret',
};
const captcha = {
  CAPTCHA_PROVIDER: 'turnstile',
  CAPTCHA_SITE_KEY: '0xsite',
  CAPTCHA_SECRET: 'secret',
};

test('by default users sign in with address and password, and may add an authenticator app', () => {
  expect(readSignInSettings({})).toEqual({
    platform: {
      providers: [],
      redirectAllowList: [],
      anonymousEnabled: false,
      phoneEnabled: false,
      apiKeySigners: [],
    },
    shown: { providers: [], anonymous: false, phone: false, authenticatorApps: true },
    captchaSources: [],
  });
});

test('providers have the names of their variables, and the web app gets labels without secrets', () => {
  const { platform, shown } = readSignInSettings({
    ...institute,
    OIDC_LAB_ISSUER: 'http://127.0.0.1:9000',
    OIDC_LAB_CLIENT_ID: 'a',
    OIDC_LAB_CLIENT_SECRET: 'b',
    OIDC_LAB_LABEL: 'Lab <b>account</b>',
    GITHUB_CLIENT_ID: 'github-id',
    GITHUB_CLIENT_SECRET: 'github-secret',
  });
  expect(platform.providers).toEqual([
    {
      kind: 'oidc',
      name: 'my_institute',
      issuer: 'https://login.example.org/realms/main',
      clientId: 'cellfolio',
      clientSecret: 'secret',
      label: 'My Institute',
    },
    {
      kind: 'oidc',
      name: 'lab',
      issuer: 'http://127.0.0.1:9000',
      clientId: 'a',
      clientSecret: 'b',
      label: 'Lab <b>account</b>',
    },
    { kind: 'github', name: 'github', clientId: 'github-id', clientSecret: 'github-secret', label: 'GitHub' },
  ]);
  expect(shown.providers).toEqual([
    { name: 'my_institute', label: 'My Institute' },
    { name: 'lab', label: 'Lab <b>account</b>' },
    { name: 'github', label: 'GitHub' },
  ]);
  expect(JSON.stringify(shown)).not.toContain('secret');
});

test('the web app gets only the site key of a captcha', () => {
  const settings = readSignInSettings(captcha);
  expect(settings.platform.captcha).toEqual({
    provider: 'turnstile',
    secret: 'secret',
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  });
  expect(settings.shown.captcha).toEqual({ provider: 'turnstile', siteKey: '0xsite' });
  expect(settings.captchaSources).toEqual(['https://challenges.cloudflare.com']);
});

test('flags, the list of redirects and the SMS gateway are read', () => {
  const { platform, shown, sms } = readSignInSettings({
    ANONYMOUS_SIGN_IN: 'true',
    SMS_WEBHOOK_URL: 'https://sms.example.org/send',
    SMS_WEBHOOK_TOKEN: 'token',
    REDIRECT_ALLOW_LIST: 'https://*.example.org, cellfolio://open,',
  });
  expect(platform).toMatchObject({ anonymousEnabled: true, phoneEnabled: true });
  expect(platform.redirectAllowList).toEqual(['https://*.example.org', 'cellfolio://open']);
  expect(shown).toMatchObject({ anonymous: true, phone: true });
  expect(sms).toEqual({ url: 'https://sms.example.org/send', token: 'token' });
});

test.each([
  [{ ...institute, OIDC_MY_INSTITUTE_CLIENT_SECRET: '' }, /^OIDC_MY_INSTITUTE_CLIENT_SECRET: is required/],
  [
    { ...institute, OIDC_MY_INSTITUTE_ISSUER: 'http://login.example.org' },
    /^OIDC_MY_INSTITUTE_ISSUER: .*https/,
  ],
  [{ OIDC_LAB_SECRET: 'x' }, /^OIDC_LAB_SECRET: must be OIDC_<NAME>_ and one of ISSUER/],
  [{ OIDC_ISSUER: 'https://login.example.org' }, /^OIDC_ISSUER: must be/],
  [
    {
      OIDC_EMAIL_ISSUER: 'https://login.example.org',
      OIDC_EMAIL_CLIENT_ID: 'a',
      OIDC_EMAIL_CLIENT_SECRET: 'b',
    },
    /^OIDC_EMAIL_ISSUER: the name email is reserved/,
  ],
  [{ ...institute, OIDC_MY_INSTITUTE_LABEL: 'x'.repeat(41) }, /^OIDC_MY_INSTITUTE_LABEL: .*40/],
  [{ GITHUB_CLIENT_ID: 'a' }, /^GITHUB_CLIENT_SECRET: is required/],
  [{ GITHUB_CLIENT_SECRET: 'a' }, /^GITHUB_CLIENT_ID: is required/],
  [{ CAPTCHA_PROVIDER: 'other' }, /^CAPTCHA_PROVIDER: /],
  [{ ...captcha, CAPTCHA_SITE_KEY: '' }, /^CAPTCHA_SITE_KEY: is required/],
  [{ ...captcha, CAPTCHA_SECRET: '' }, /^CAPTCHA_SECRET: is required/],
  [{ CAPTCHA_SECRET: 'a' }, /^CAPTCHA_PROVIDER: /],
  [{ SMS_WEBHOOK_URL: 'sms' }, /^SMS_WEBHOOK_URL: /],
  [{ REDIRECT_ALLOW_LIST: 'x'.repeat(501) }, /^REDIRECT_ALLOW_LIST: /],
])('an invalid value stops the start with its name in one line: %o', (environment, message) => {
  const read = () => readSettings(environment as Record<string, string>);
  expect(read).toThrow(InvalidSettings);
  expect(read).toThrow(message);
});

test('keys of clients may be tokens signed elsewhere, with the keys of a key set', () => {
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldC0x';
  const jwks = JSON.stringify({ keys: [{ kty: 'oct', k: secret }] });
  expect(readSignInSettings({ API_KEY_JWKS: jwks }).platform.apiKeySigners).toEqual([
    { kty: 'oct', k: secret },
  ]);
  for (const wrong of [secret, '{}', '{"keys":[{"kty":"oct","k":"short"}]}', '{"keys":[{"kty":"RSA"}]}']) {
    let message = '';
    try {
      readSignInSettings({ API_KEY_JWKS: wrong });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('API_KEY_JWKS');
    expect(message).not.toContain(secret);
  }
});
