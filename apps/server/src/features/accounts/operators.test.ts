import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '@cellfolio/platform/testing';
import { AccountError, type Database } from '@cellfolio/platform';
import { isOperator, setOperator } from './operators.ts';

const userId = '00000000-0000-4000-8000-000000000077';
const email = 'someone@example.org';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(
    `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
     values ($1, $2, '{"provider": "email"}', '{"operator": true}')`,
    [userId, email],
  );
});
afterAll(() => database?.close());

const metadata = async () =>
  (await database.pool.query('select raw_app_meta_data as kept from auth.users where id = $1', [userId]))
    .rows[0].kept;

test('metadata that users write themselves makes no user an operator', async () => {
  expect(await isOperator(database, userId)).toBe(false);
});

test('an account is made that of an operator and loses it again, and its other metadata stays', async () => {
  await setOperator(database, ` ${email.toUpperCase()} `, true);
  expect(await isOperator(database, userId)).toBe(true);
  expect(await metadata()).toEqual({ provider: 'email', operator: true });
  await setOperator(database, email, false);
  expect(await isOperator(database, userId)).toBe(false);
  expect(await metadata()).toEqual({ provider: 'email' });
});

test('a deleted account operates nothing, and an unknown one is refused', async () => {
  await setOperator(database, email, true);
  await database.pool.query('update auth.users set deleted_at = now() where id = $1', [userId]);
  expect(await isOperator(database, userId)).toBe(false);
  await expect(setOperator(database, email, true)).rejects.toThrow(AccountError);
  await expect(setOperator(database, 'nobody@example.org', true)).rejects.toThrow('nobody@example.org');
});
