import { expect, test } from 'vitest';
import { codeChallengeOf, verifierFits } from './flow-state.ts';

// Appendix B of RFC 7636.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('only the matching verifier fits the challenge of the RFC', () => {
  expect(verifierFits({ method: 's256', challenge }, verifier)).toBe(true);
  expect(verifierFits({ method: 's256', challenge }, `${verifier}x`)).toBe(false);
  expect(verifierFits({ method: 's256', challenge }, challenge)).toBe(false);
  expect(verifierFits({ method: 'plain', challenge }, challenge)).toBe(true);
  expect(verifierFits({ method: 'plain', challenge }, verifier)).toBe(false);
});

test.each([
  [null, null, undefined],
  ['', '', undefined],
  [challenge, 'S256', { method: 's256', challenge }],
  [challenge, 'Plain', { method: 'plain', challenge }],
])('a challenge %s with method %s is read', (code_challenge, code_challenge_method, expected) => {
  expect(codeChallengeOf({ code_challenge, code_challenge_method })).toEqual(expected);
});

test.each([
  [challenge, null],
  [null, 's256'],
  [challenge, 'md5'],
  [challenge.slice(1), 's256'],
  ['a'.repeat(129), 's256'],
  [`${challenge}+`, 's256'],
])('a challenge %s with method %s is refused', (code_challenge, code_challenge_method) => {
  expect(() => codeChallengeOf({ code_challenge, code_challenge_method })).toThrow(
    expect.objectContaining({ status: 400, code: 'validation_failed' }),
  );
});
