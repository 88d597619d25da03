import type * as Argon2 from '@node-rs/argon2';
import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { checkNewPassword, hashPassword, passwordFits } from './passwords.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  return { ...real, verify: vi.fn<typeof real.verify>(real.verify) };
});

test('a password is kept as argon2id with at least 19 MiB and two passes, with a new salt each time', async () => {
  const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwordFits('secret', one)).toBe(true);
  expect(await passwordFits('Secret', one)).toBe(false);
});

test('without a hash no password fits, not even an empty one', async () => {
  for (const storedHash of [undefined, null, '']) {
    expect(await passwordFits('', storedHash)).toBe(false);
    expect(await passwordFits('secret', storedHash)).toBe(false);
  }
});

test('an unknown account costs the same work as a known one', async () => {
  const storedHash = await hashPassword('secret');
  await passwordFits('secret', undefined);
  const [unknown] = vi.mocked(verify).mock.lastCall ?? [];
  await passwordFits('secret', storedHash);
  const [verifiedHash] = vi.mocked(verify).mock.lastCall ?? [];
  const parameters = (text: unknown) => String(text).split('$').slice(0, 4);
  expect(parameters(unknown)).toEqual(parameters(verifiedHash));
  expect(unknown).not.toBe(verifiedHash);
});

test('a password over 72 bytes never fits', async () => {
  const storedHash = await hashPassword('');
  expect(await passwordFits('a'.repeat(73), storedHash)).toBe(false);
});

test('concurrent hashes all finish', async () => {
  const storedHash = await hashPassword('secret');
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, index) => passwordFits(index % 2 === 0 ? 'secret' : 'wrong', storedHash)),
  );
  expect(answers).toEqual([true, false, true, false, true, false, true, false, true]);
});

test.each([
  ['', 'validation_failed', 400],
  ['a'.repeat(73), 'validation_failed', 400],
  ['ab', 'weak_password', 422],
  // Six UTF-16 units, three characters.
  ['🧬🧬🧬', 'weak_password', 422],
])('%j cannot be a new password', (password, code, status) => {
  expect(() => checkNewPassword(password, 6)).toThrow(expect.objectContaining({ code, status }));
});

test('six characters and 72 bytes can', () => {
  expect(() => checkNewPassword('abcdef', 6)).not.toThrow();
  expect(() => checkNewPassword('a'.repeat(72), 6)).not.toThrow();
});

test('where hashes cost less, an unknown account costs less alike', async () => {
  const cost = { memoryKib: 64, passes: 1 };
  const storedHash = await hashPassword('secret', { cost });
  expect(storedHash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  expect(await passwordFits('secret', storedHash, { cost })).toBe(true);
  expect(await passwordFits('secret', undefined, { cost })).toBe(false);
  expect(vi.mocked(verify).mock.lastCall?.[0]).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
});
