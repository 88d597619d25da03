import { expect, test } from 'vitest';
import { accountMail, type MailKind } from './account-mails.ts';

const kinds: readonly MailKind[] = [
  'confirm',
  'has-account',
  'invite',
  'recover',
  'sign-in',
  'change',
  'change-from',
  'reauthenticate',
];
const content = {
  to: 'ada@example.org',
  siteName: 'Cell Lab',
  code: '012345',
  link: 'https://cells.example.org/auth/v1/verify?token=abc&type=signup',
  minutes: 60,
};

test.each(kinds)('a mail of kind %s says what it is, holds link and code, and the same in HTML', (kind) => {
  const { subject, text, html = '' } = accountMail(kind, content);
  expect(subject).toContain('Cell Lab');
  for (const part of ['012345', 'Cell Lab', '60 minutes']) {
    expect(text).toContain(part);
    expect(html).toContain(part);
  }
  expect(text).toContain(`\n${content.link}\n`);
  expect(html).toContain(`href="${content.link.replaceAll('&', '&amp;')}"`);
});

test('a mail without a link holds the code alone', () => {
  const { link: _link, ...bare } = content;
  const { text, html } = accountMail('reauthenticate', bare);
  expect(text).toContain('Your code: 012345');
  expect(html).not.toContain('href');
});

test('untrusted text cannot become markup or a header', () => {
  const hostile = `<img src=x onerror=alert(1)>"'&\r\nBcc: everybody@example.org`;
  const { subject, html } = accountMail('change-from', {
    ...content,
    siteName: hostile,
    newAddress: hostile,
    link: `https://cells.example.org/"><script>alert(1)</script>`,
  });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(html).not.toMatch(/<img|<script/);
});

test('long lifetimes are given in hours', () => {
  expect(accountMail('confirm', { ...content, minutes: 1_440 }).text).toContain('24 hours');
});
