import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { normaliseEmail } from '../../auth/email-address.ts';
import { AuthError } from '../../auth/auth-error.ts';
import { jsonOf } from '../function-answers.ts';
import { FunctionError } from '../function-error.ts';
import type { FunctionsContext } from '../functions-context.ts';
import { visitorOf } from '../signed-in.ts';
import { contactMail } from './contact-mail.ts';

/** The sizes of the table that keeps the same message. */
const message = z.object({
  name: z.string().trim().min(1, 'Give your name.').max(500),
  email: z.string().trim().min(1, 'Give your email address.').max(255),
  subject: z.string().trim().max(1000).nullish(),
  message: z.string().trim().min(1, 'Write a message.').max(20_000),
});

const bodyLimit = 256 * 1024;

/** `send-contact-email`: mails a message to the operator. Open to visitors, so little is taken from any one of them. */
export function sendContactEmail(app: FastifyInstance, context: FunctionsContext): void {
  const { settings, mailer, limits, siteName, trustProxy } = context;
  app.post('/send-contact-email', { config: { functionAccess: 'visitor' }, bodyLimit }, async (request) => {
    const given = jsonOf(request, message);
    const email = checkedEmail(given.email);
    const to = settings.contactEmail;
    if (!mailer || to === undefined) {
      const text = 'This server has no mailbox for messages yet.';
      throw new FunctionError(503, 'mail_not_configured', text);
    }
    const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
    await limits.countContact(address);
    const user = visitorOf(request);
    const mail = contactMail(
      { ...given, email, subject: given.subject ?? '' },
      { to, siteName, sentBy: user ? `user ${user.id} (${user.email || 'no address'})` : 'a visitor' },
    );
    try {
      // Not through the outbox: the page tells its visitor whether the mail has left.
      await mailer.send(mail);
    } catch (cause) {
      const text = 'The message could not be mailed just now.';
      throw new FunctionError(502, 'mail_not_sent', text, { cause });
    }
    return { success: true };
  });
}

function checkedEmail(given: string): string {
  try {
    return normaliseEmail(given);
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause;
    throw new FunctionError(400, 'invalid_request', 'email: Give an email address such as ada@example.org.', {
      cause,
    });
  }
}
