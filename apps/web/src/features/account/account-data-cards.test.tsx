import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const contents = {
  tables: [
    { name: 'subsets', title: 'Saved subsets', rows: 12 },
    { name: 'annotations', title: 'Annotations', rows: 2 },
    { name: 'links', title: 'Short links', rows: 0 },
  ],
  files: { count: 2, bytes: 3_400_000_000 },
  files_included: true,
  jobs_under_way: 1,
  paid_plan: 'Standard',
  password: true,
};

let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.auth.signIn();
  fake.answer('/functions/v1/check-subscription', () =>
    json({ subscribed: false, subscription_tier: null, subscription_end: null }),
  );
  fake.answer('/rest/v1/rpc/list_api_keys', () => json([]));
  fake.answer('/api/account', () => json(contents));
});

async function openDialog() {
  const rendered = renderApp('/account', fake);
  await rendered.user.click(await screen.findByRole('button', { name: 'Delete account...' }));
  return { ...rendered, dialog: within(await screen.findByRole('dialog', { name: 'Delete your account?' })) };
}
const deletions = () => fake.requests.filter(({ path }) => path === '/api/account/delete');

test('the deletion says what goes and what remains, and asks for address and password', async () => {
  const { user, dialog } = await openDialog();
  expect(await dialog.findByText('2 files (3.40 GB), and every dataset built from your files')).toBeVisible();
  expect(dialog.getByText('12 saved subsets, 2 annotations and kept columns')).toBeVisible();
  expect(dialog.getByText('Running jobs, which are canceled: 1')).toBeVisible();
  expect(dialog.getByText(/Your Standard plan: canceled at once/)).toBeVisible();
  expect(dialog.getByText(/^Backups and logs of this server/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  const email = dialog.getByLabelText(/^Type your email address/);
  expect(email).toHaveAccessibleDescription('Type ada@cellfolio.test');
  expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription('Type your password');
  await waitFor(() => expect(email).toHaveFocus());
  expect(deletions()).toEqual([]);
});

test('a refusal is shown in its words and deletes nothing; the deletion ends on a public page, signed out', async () => {
  const { user, dialog, address } = await openDialog();
  fake.answer('/api/account/delete', () =>
    json({ code: 'current_password_invalid', message: 'The password is incorrect.' }, 403),
  );
  await user.type(await dialog.findByLabelText(/^Type your email address/), 'Ada@cellfolio.test');
  await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
  expect(await dialog.findByText('Your account was not deleted. The password is incorrect.')).toBeVisible();
  expect(fake.auth.client.signOut).not.toHaveBeenCalled();
  fake.answer('/api/account/delete', () => json({ deleted: true }));
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  expect(await screen.findByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  expect(address()).toBe('/account-deleted');
  await waitFor(() => expect(fake.auth.client.signOut).toHaveBeenCalledWith({ scope: 'local' }));
  expect(deletions().at(-1)?.body).toEqual({ email: 'Ada@cellfolio.test', password: 'wrong' });
});

test('an account without a password needs a recent sign-in', async () => {
  fake.answer('/api/account', () => json({ ...contents, password: false }));
  const { dialog } = await openDialog();
  expect(await dialog.findByText(/has no password: sign in within ten minutes/)).toBeVisible();
  expect(dialog.queryByLabelText('Password')).toBeNull();
});

test('what the account holds can be looked up again where it could not', async () => {
  fake.answer('/api/account', () => json({ code: 'unavailable', message: 'Away.' }, 503));
  const { user, dialog } = await openDialog();
  const again = await dialog.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  fake.answer('/api/account', () => json(contents));
  await user.click(again);
  expect(await dialog.findByLabelText('Password')).toBeVisible();
});

test('the data are downloaded as one file; a download that failed can be tried again', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => 'blob:';
  URL.revokeObjectURL = () => {};
  fake.answer('/api/account/archive', () =>
    json({ code: 'too_many_calls', message: 'Two exports are running.' }, 429),
  );
  const { user } = renderApp('/account', fake);
  await user.click(await screen.findByRole('button', { name: 'Download my data' }));
  expect(
    await screen.findByText('Your data could not be downloaded: Two exports are running.'),
  ).toBeVisible();
  let release = () => {};
  fake.answer(
    '/api/account/archive',
    () =>
      new Promise<Response>(
        (resolve) =>
          (release = () => resolve(new Response('PK', { headers: { 'content-type': 'application/zip' } }))),
      ),
  );
  const card = screen.getByRole('region', { name: 'Your Data' });
  await user.click(within(card).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('progressbar', { name: 'Progress of the download' })).toBeVisible();
  release();
  await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^cellfolio-\d{4}-\d\d-\d\d\.zip$/)]));
  vi.restoreAllMocks();
});
