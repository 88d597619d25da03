import { expect, test } from 'vitest';
import { contactMail } from './send-contact-email.ts';

const surroundings = { to: 'desk@example.org', siteName: 'Cellfolio', sentBy: 'a visitor' };
const message = { name: 'Ada', email: 'ada@example.org', subject: 'Hello', message: 'How are you?' };

test('a message says who wrote it, and an answer goes there', () => {
  const mail = contactMail(message, surroundings);
  expect(mail).toMatchObject({
    to: 'desk@example.org',
    replyTo: { name: 'Ada', address: 'ada@example.org' },
    subject: '[Cellfolio contact] Hello',
  });
  expect(mail.text).toContain('How are you?');
});

test('without a subject the mail is named after its writer', () => {
  expect(contactMail({ ...message, subject: ' ' }, surroundings).subject).toBe(
    '[Cellfolio contact] Message from Ada',
  );
});

test('nothing that a visitor writes begins another header or hides who writes', () => {
  const evil = 'x\r\nBcc: all@example.org\u2028To: y\u0000\u202egro.live';
  const mail = contactMail({ ...message, name: evil, subject: evil }, surroundings);
  for (const text of [mail.subject, mail.replyTo?.name]) expect(text).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  expect(mail.text.split('\n').filter((line) => line.startsWith('Bcc:'))).toEqual([]);
  expect(mail.subject.length).toBeLessThanOrEqual(150);
});

test('lines of the message stay lines', () => {
  const mail = contactMail({ ...message, message: 'one\r\ntwo\rthree\n\tfour' }, surroundings);
  expect(mail.text.endsWith('one\ntwo\nthree\n\tfour')).toBe(true);
});
