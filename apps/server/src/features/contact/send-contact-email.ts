import { AuthError, FunctionError, type Mail, normaliseEmail, visitorOf } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import { jsonOf } from '../../runtime/functions/functions-context.ts';

export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

const maxSubject = 150;

export function contactMail(
  { name, email, subject, message }: ContactMessage,
  { to, siteName, sentBy }: { to: string; siteName: string; sentBy: string },
): Mail {
  const about = oneLine(subject) || `Message from ${oneLine(name)}`;
  return {
    to,
    replyTo: { name: oneLine(name), address: email },
    subject: `[${siteName} contact] ${about}`.slice(0, maxSubject),
    text: [
      `Name:    ${oneLine(name)}`,
      `Email:   ${email}`,
      `Subject: ${oneLine(subject) || '(none)'}`,
      `Sent by: ${sentBy}`,
      '',
      // The writer's words may look like anything; nothing of ours follows them.
      withoutControls(message),
    ].join('\n'),
  };
}

/** Prevents header injection. */
function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** Also removes bidirectional control characters, with which a sender could hide who writes. */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/[\u2028\u2029]/g, '\n');
}

/** Size limits of the table that stores the same message. */
const message = z.object({
  name: z.string().trim().min(1, 'Give your name.').max(500),
  email: z.string().trim().min(1, 'Enter your email address.').max(255),
  subject: z.string().trim().max(1000).nullish(),
  message: z.string().trim().min(1, 'Write a message.').max(20_000),
});

const bodyLimit = 256 * 1024;

/**
 * `send-contact-email`: mails a message to the operator. Open to visitors, hence with a low rate limit for each of
 * them.
 */
export function sendContactEmail(app: FastifyInstance, context: FunctionsContext): void {
  const { settings, mailer, limits, siteName, trustProxy } = context;
  app.post('/send-contact-email', { config: { functionAccess: 'visitor' }, bodyLimit }, async (request) => {
    const submission = jsonOf(request, message);
    const email = checkedEmail(submission.email);
    const to = settings.contactEmail;
    if (!mailer || to === undefined) {
      const text = 'This server cannot receive messages yet: its mailbox is not set up.';
      throw new FunctionError(503, 'mail_not_configured', text);
    }
    const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
    await limits.countContact(address);
    const user = visitorOf(request);
    const mail = contactMail(
      { ...submission, email, subject: submission.subject ?? '' },
      { to, siteName, sentBy: user ? `user ${user.id} (${user.email || 'no address'})` : 'a visitor' },
    );
    try {
      // Not through the outbox: the page tells its visitor whether the mail has left.
      await mailer.send(mail);
    } catch (cause) {
      const text = 'The message could not be emailed.';
      throw new FunctionError(502, 'mail_not_sent', text, { cause });
    }
    return { success: true };
  });
}

function checkedEmail(address: string): string {
  try {
    return normaliseEmail(address);
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause;
    throw new FunctionError(
      400,
      'invalid_request',
      'email: Enter an email address such as ada@example.org.',
      {
        cause,
      },
    );
  }
}
