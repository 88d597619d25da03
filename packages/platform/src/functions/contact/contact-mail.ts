import type { Mail } from '../../auth/mailer.ts';

export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

const maxSubject = 150;

/** The mail that hands a message of a visitor to the operator; an answer goes to the visitor. */
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

/** What goes into a header must not begin another one. */
function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** Also without the marks that turn the direction of writing, behind which a sender could hide who writes. */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/[\u2028\u2029]/g, '\n');
}
