import { expect, test } from 'vitest';
import { platformSettings, type PlatformSettingsInput } from './platform-settings.ts';

const credentials = { clientId: 'id', clientSecret: 'secret' };
const oidc = {
  kind: 'oidc',
  name: 'institute',
  issuer: 'https://login.example.org',
  ...credentials,
} as const;

test('every setting has a default, and GitHub is known by its own addresses', () => {
  const settings = platformSettings.parse({ providers: [{ kind: 'github', ...credentials }] });
  expect(settings).toMatchObject({
    autoConfirm: true,
    anonymousEnabled: false,
    phoneEnabled: false,
    secureEmailChange: true,
    requireRecentSignIn: false,
    rateLimits: { signUp: 30, anonymous: 30, token: 150, verify: 30, mfaVerify: 15, mailsPerHour: 30 },
    providers: [{ name: 'github', siteUrl: 'https://github.com', apiUrl: 'https://api.github.com' }],
  });
  expect(platformSettings.parse({ rateLimits: false }).rateLimits).toBeUndefined();
});

test.each<[string, PlatformSettingsInput]>([
  ['an issuer without https', { providers: [{ ...oidc, issuer: 'http://login.example.org' }] }],
  ['an issuer that is no address', { providers: [{ ...oidc, issuer: 'login' }] }],
  ['two providers of one name', { providers: [oidc, oidc] }],
  ['a name that means something else', { providers: [{ ...oidc, name: 'email' }] }],
  ['a name that reaches for the prototype', { providers: [{ ...oidc, name: '__proto__' }] }],
  ['an empty secret', { providers: [{ ...oidc, clientSecret: '' }] }],
  [
    'a captcha address of another protocol',
    { captcha: { provider: 'hcaptcha', verifyUrl: 'file:///etc/passwd', secret: 's' } },
  ],
  ['a negative limit', { rateLimits: { signUp: -1 } }],
])('%s is refused at the start', (_case, settings) => {
  expect(platformSettings.safeParse(settings).success).toBe(false);
});

test('a provider on this machine may do without https', () => {
  const local = { ...oidc, issuer: 'http://127.0.0.1:8080/realms/lab' };
  expect(platformSettings.parse({ providers: [local] }).providers).toMatchObject([{ issuer: local.issuer }]);
});
