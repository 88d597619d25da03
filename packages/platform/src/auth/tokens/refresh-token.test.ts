import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RefreshTokens } from './refresh-token.ts';

const tokens = new RefreshTokens(Buffer.alloc(32, 1));
const ticket = { sessionId: randomUUID(), counter: 7 };

test.each([0, 1, 255, 2 ** 32, 2 ** 48 - 1])('counter %i of a session is read back as written', (counter) => {
  expect(tokens.read(tokens.write({ ...ticket, counter }))).toEqual({
    kind: 'genuine',
    ticket: { ...ticket, counter },
  });
});

test('another installation with another key does not take our tokens', () => {
  const elsewhere = new RefreshTokens(Buffer.alloc(32, 2));
  expect(elsewhere.read(tokens.write(ticket))).toEqual({ kind: 'foreign' });
});

test('a change of any one letter makes a token foreign', () => {
  const token = tokens.write(ticket);
  for (let at = 0; at < token.length; at += 1) {
    const letter = token[at] === 'A' ? 'B' : 'A';
    expect(tokens.read(token.slice(0, at) + letter + token.slice(at + 1))).toEqual({ kind: 'foreign' });
  }
});

test.each([
  ['', 'malformed'],
  ['short', 'malformed'],
  ['with spaces and such', 'malformed'],
  ['abcdefghijkl', 'foreign'],
  ['A'.repeat(5000), 'foreign'],
])('%j is %s', (text, kind) => {
  expect(tokens.read(text)).toEqual({ kind });
});
