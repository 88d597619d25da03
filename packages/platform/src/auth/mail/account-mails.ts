import type { Mail } from './mailer.ts';

export type MailKind =
  | 'confirm'
  | 'has-account'
  | 'invite'
  | 'recover'
  | 'sign-in'
  | 'change'
  | 'change-from'
  | 'reauthenticate';

interface MailContent {
  to: string;
  siteName: string;
  /** Link to a page of the site; absent if only the code counts. */
  link?: string;
  /** Six digits, to be typed into a page. */
  code: string;
  newAddress?: string;
  minutes: number;
}

interface MailText {
  subject: string;
  what: string;
  action: string;
  unasked: string;
}

export function accountMail(kind: MailKind, content: MailContent): Mail {
  const { siteName, link, code, to, minutes } = content;
  const { subject, what, action, unasked } = mailText(kind, content);
  const until = `It works once, within ${minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`}.`;
  const text = [
    what,
    ...(link === undefined ? [] : [`${action}:\n${link}`]),
    link === undefined ? `Your code: ${code}` : `Or enter this code: ${code}`,
    until,
    unasked,
    siteName,
  ].join('\n\n');
  const html = [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    '<body style="font:16px/1.5 system-ui,sans-serif;color:#1a1c1e;max-width:36rem;margin:2rem auto;padding:0 1rem">',
    `<p>${escapeHtml(what)}</p>`,
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`]),
    `<p>${link === undefined ? 'Your code:' : 'Or enter this code:'} <strong style="letter-spacing:.1em">${escapeHtml(code)}</strong></p>`,
    `<p>${escapeHtml(until)}</p>`,
    `<p style="color:#5c6168">${escapeHtml(unasked)}</p>`,
    `<p style="color:#5c6168">${escapeHtml(siteName)}</p>`,
    '</body></html>',
  ].join('\n');
  return { to, subject: oneLine(subject), text, html };
}

function mailText(kind: MailKind, { siteName, newAddress = '' }: MailContent): MailText {
  const ignore = 'If you did not request this, you can ignore this email.';
  switch (kind) {
    case 'confirm':
      return {
        subject: `Confirm your email address for ${siteName}`,
        what: `Welcome to ${siteName}. Please confirm that this is your email address.`,
        action: 'Confirm your email address',
        unasked: 'If you did not request an account, you can ignore this email.',
      };
    case 'has-account':
      return {
        subject: `You already have an account at ${siteName}`,
        what: `Someone, probably you, requested a new ${siteName} account with this email address. You already have an account, and its password has not changed. This link signs you in; if you forgot your password, you can choose a new one afterward.`,
        action: `Sign in to ${siteName}`,
        unasked: ignore,
      };
    case 'invite':
      return {
        subject: `You are invited to ${siteName}`,
        what: `You have been invited to ${siteName}.`,
        action: 'Accept the invitation',
        unasked: 'If you did not expect this, you can ignore this email.',
      };
    case 'recover':
      return {
        subject: `Reset your ${siteName} password`,
        what: `Someone, probably you, asked to reset the password of your ${siteName} account.`,
        action: 'Choose a new password',
        unasked: `${ignore} Your password has not changed.`,
      };
    case 'sign-in':
      return {
        subject: `Sign in to ${siteName}`,
        what: `Someone, probably you, asked to sign in to ${siteName}.`,
        action: 'Sign in',
        unasked: ignore,
      };
    case 'change':
      return {
        subject: `Confirm your new email address for ${siteName}`,
        what: `Please confirm that your ${siteName} account should use this email address from now on.`,
        action: 'Confirm the new address',
        unasked: ignore,
      };
    case 'change-from':
      return {
        subject: `Confirm the change of your email address for ${siteName}`,
        what: `Your ${siteName} account is about to change its email address to ${newAddress}. Please confirm it from this mailbox too.`,
        action: 'Confirm the change',
        unasked: 'If this was not you, do not confirm it, and change your password.',
      };
    case 'reauthenticate':
      return {
        subject: `Your ${siteName} code`,
        what: `Enter this code in ${siteName} to confirm that it is you.`,
        action: '',
        unasked: 'If you did not request this code, change your password.',
      };
  }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities.get(letter) ?? letter);
}

/** Prevents header injection: a line break in a subject would begin another header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
