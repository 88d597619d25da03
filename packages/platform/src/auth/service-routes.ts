import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';

export function getHealth(app: FastifyInstance): void {
  app.route({
    method: 'GET',
    url: '/health',
    handler: async () => ({
      version: 'v1',
      name: 'Cellfolio Auth',
      description: 'Accounts and sessions, in the manner of Supabase Auth',
    }),
  });
}

export function getSettings(app: FastifyInstance, { settings, providers }: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/settings',
    handler: async () => ({
      external: {
        ...Object.fromEntries([...providers.keys()].map((name) => [name, true])),
        email: true,
        phone: settings.phoneEnabled,
        anonymous_users: settings.anonymousEnabled,
      },
      disable_signup: !settings.signUpEnabled,
      mailer_autoconfirm: settings.autoConfirm,
      phone_autoconfirm: settings.phoneAutoConfirm,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: false,
    }),
  });
}

export function getJwks(app: FastifyInstance, { signingKeys }: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    config: { open: true },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=600');
      return { keys: await signingKeys.published() };
    },
  });
}

/** Routes of the client that are not implemented here; specific paths precede the patterns that cover them. */
const routes: readonly (readonly [HTTPMethods, string, string])[] = [
  ['GET', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['DELETE', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes/verify', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes/regenerate', 'Recovery codes are disabled'],
  ['POST', '/sso', 'SAML 2.0 is disabled'],
];

/** Families of client calls that are not implemented, by path prefix. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^(?:admin\/)?sso(?:\/|$)/, 'SAML 2.0 is disabled'],
  [/^(?:admin\/|user\/)?oauth\//, 'OAuth 2.1 server is disabled'],
  [/^scim\//, 'SCIM is disabled'],
  [/^admin\/custom-providers(?:\/|$)/, 'Providers are set by the operator of this server'],
];

export function disabledFeatures(app: FastifyInstance): void {
  for (const [method, url, message] of routes) {
    app.route({
      method,
      url,
      handler: async () => {
        throw new AuthError(404, 'feature_disabled', message);
      },
    });
  }
  for (const url of ['/passkeys', '/passkeys/*']) {
    app.route({
      method: ['GET', 'POST', 'PATCH', 'DELETE'],
      url,
      handler: async () => {
        throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
      },
    });
  }
  app.setNotFoundHandler(async (request) => {
    const [path = ''] = request.url.split('?', 1);
    const within = path.slice(app.prefix.length).replace(/^\/+/, '');
    const disabled = families.find(([beginning]) => beginning.test(within));
    if (disabled) throw new AuthError(404, 'feature_disabled', disabled[1]);
    throw new AuthError(404, 'not_found', `There is no ${request.method} ${path} here.`);
  });
}
