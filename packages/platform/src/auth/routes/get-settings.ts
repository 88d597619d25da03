import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';

/** What sign-in pages may offer. */
export function getSettings(app: FastifyInstance, { settings }: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/settings',
    handler: async () => ({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: !settings.signUpEnabled,
      mailer_autoconfirm: settings.autoConfirm,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: false,
    }),
  });
}
