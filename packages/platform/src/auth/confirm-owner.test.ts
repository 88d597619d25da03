import { expect, test } from 'vitest';
import { passwordCost } from '../database/test-databases.ts';
import { issuerOf } from '../platform-plugin.ts';
import { headers, password, secretKey, testPlatforms, url } from '../test-platforms.ts';
import { createOwnerCheck } from './confirm-owner.ts';

const { database, build, signUp } = testPlatforms();
const minute = 60_000;
const checkAt = (minutes: number) =>
  createOwnerCheck({
    database: database(),
    issuer: issuerOf(url),
    rateLimits: undefined,
    passwordCost,
    now: () => Date.now() + minutes * minute,
  });
const idOf = async (email: string): Promise<string> => {
  const { rows } = await database().pool.query<{ id: string }>('select id from auth.users where email = $1', [
    email,
  ]);
  return rows[0]!.id;
};

test('the owner of an account proves themselves by address and password, however old the session is', async () => {
  const app = await build();
  const { access_token, email } = await signUp(app);
  const proof = { authorization: `Bearer ${access_token}`, address: '192.0.2.1', email, password };
  expect(await checkAt(30)({ ...proof, email: ` ${email.toUpperCase()}` })).toBe(await idOf(email));
  const check = checkAt(0);
  await expect(check({ ...proof, password: 'wrong' })).rejects.toMatchObject({
    code: 'current_password_invalid',
  });
  await expect(check({ ...proof, password: '' })).rejects.toMatchObject({ code: 'current_password_invalid' });
  await expect(check({ ...proof, email: '' })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(check({ ...proof, authorization: undefined })).rejects.toMatchObject({ status: 401 });
  await app.close();
});

test('without a password it takes a sign-in of the last ten minutes', async () => {
  const app = await build();
  const { access_token, email } = await signUp(app);
  await database().pool.query('update auth.users set encrypted_password = null where email = $1', [email]);
  const proof = { authorization: `Bearer ${access_token}`, address: '192.0.2.1', email, password: '' };
  expect(await checkAt(9)(proof)).toBe(await idOf(email));
  await expect(checkAt(11)(proof)).rejects.toMatchObject({ status: 403, code: 'reauthentication_needed' });
  await app.close();
});

test('what the application has of an account elsewhere is ended first, and keeps the account where that fails', async () => {
  const ended: string[] = [];
  let fails = true;
  const app = await build({
    beforeRemoval: async (userId) => {
      if (fails) throw new Error('not ended');
      ended.push(userId);
    },
  });
  const { email } = await signUp(app);
  const id = await idOf(email);
  const remove = () =>
    app.inject({
      method: 'DELETE',
      url: `/auth/v1/admin/users/${id}`,
      headers: { ...headers, apikey: secretKey, authorization: `Bearer ${secretKey}` },
    });
  expect((await remove()).statusCode).toBe(500);
  expect(await idOf(email)).toBe(id);
  fails = false;
  expect((await remove()).statusCode).toBe(200);
  expect(ended).toEqual([id]);
  await app.close();
});
