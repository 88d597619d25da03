import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';

/** What sign-in pages may offer. */
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
