import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { longDate } from '@/lib/format.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const check = '/functions/v1/check-subscription';
const plan = (subscription_tier: string | null, subscription_end: string | null = null) => ({
  subscribed: true,
  subscription_tier,
  subscription_end,
});
const noPlan = { subscribed: false, subscription_tier: null, subscription_end: null };

let fake: FakeServices;
function setUp(overrides: Parameters<typeof fakeServices>[0] = {}) {
  fake = fakeServices(overrides);
  fake.auth.signIn();
  fake.answer(check, () => json(noPlan));
  fake.answer('/rest/v1/rpc/list_api_keys', () => json([]));
}
beforeEach(() => setUp());

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const card = (name: string) => screen.findByRole('region', { name });

describe('the account page', () => {
  test('shows who is signed in and the ways on; signed out it leads to sign-in', async () => {
    const { address } = renderApp('/account', fake);
    expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
    expect(screen.getByText('ada@cellfolio.test')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact');
    for (const [name, to] of [
      ['Dataset Selector', '/dataset-selector'],
      ['Upload Data', '/upload-data'],
    ] as const) {
      for (const link of screen.getAllByRole('link', { name })) expect(link).toHaveAttribute('href', to);
    }
    act(() => fake.auth.signOut());
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(address()).toBe('/auth');
  });

  test('without a plan: Free Trial and Upgrade Plan', async () => {
    renderApp('/account', fake);
    const subscription = await card('Subscription Management');
    expect(await within(subscription).findByText('Free Trial')).toBeVisible();
    expect(within(subscription).getByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute(
      'href',
      '/pricing',
    );
    expect(within(subscription).queryByText('Next Billing')).toBeNull();
    expect(within(subscription).queryByRole('button', { name: 'Manage Subscription' })).toBeNull();
  });

  test.each([
    [new Date(), 'Free Trial Ends', undefined],
    [new Date('2026-03-04T12:00:00Z'), 'Free Trial Ended', 'March 11, 2026'],
  ])('without a plan it says when the trial of an account of %s ends', async (created, title, date) => {
    fake.auth.signIn('bea@cellfolio.test', created.toISOString());
    renderApp('/account', fake);
    const term = await within(await card('Subscription Management')).findByText(title);
    const end = new Date(created.getTime() + 7 * 24 * 3600 * 1000);
    expect(term.nextElementSibling).toHaveTextContent(date ?? longDate(end.toISOString()));
  });

  test.each([
    ['Standard', '2027-01-31T12:00:00Z', 'Standard', 'bg-blue-soft', 'January 31, 2027'],
    ['Professional', null, 'Professional', 'bg-purple-soft', 'N/A'],
    [null, '2026-12-01T12:00:00Z', 'Active', 'bg-surface-3', 'December 1, 2026'],
  ])('the plan %s until %s is %s, %s, next billed %s', async (tier, end, badge, colour, date) => {
    fake.answer(check, () => json(plan(tier, end)));
    renderApp('/account', fake);
    const subscription = await card('Subscription Management');
    const shown = await within(subscription).findByText(badge);
    expect(shown).toHaveClass(colour);
    expect(within(subscription).getByText('Next Billing').nextElementSibling).toHaveTextContent(date);
    expect(within(subscription).getByRole('button', { name: 'Manage Subscription' })).toBeVisible();
    expect(subscription).toHaveTextContent(/updating payment methods, downloading invoices or canceling/);
    expect(within(subscription).queryByRole('link', { name: 'Upgrade Plan' })).toBeNull();
  });

  test('a check that failed claims no plan and can be made again', async () => {
    fake.answer(check, () => json({}, 503));
    const { user } = renderApp('/account', fake);
    const subscription = await card('Subscription Management');
    await user.click(await within(subscription).findByRole('button', { name: 'Try again' }));
    expect(within(subscription).queryByText('Free Trial')).toBeNull();
    fake.answer(check, () => json(plan('Standard')));
    await user.click(within(subscription).getByRole('button', { name: 'Try again' }));
    expect(await within(subscription).findByText('Standard')).toBeVisible();
  });

  test('Change Password shows the problem beside each field, and sends no request', async () => {
    const { user } = renderApp('/account', fake);
    await card('Change Password');
    const [current, next, confirm] = ['Current Password', 'New Password', 'Confirm New Password'].map(
      (label) => screen.getByLabelText(label),
    ) as [HTMLElement, HTMLElement, HTMLElement];
    await user.click(await button('Update Password'));
    expect(current).toHaveAccessibleDescription('Current password is required');
    expect(current).toHaveFocus();
    expect(next).toHaveAccessibleDescription('Password must be at least 6 characters');
    expect(confirm).toHaveAccessibleDescription('Please confirm your password');
    await user.type(current, 'old');
    await user.type(next, '123456');
    await user.type(confirm, '123457{Enter}');
    expect(current).not.toHaveAccessibleDescription();
    expect(next).not.toHaveAccessibleDescription();
    expect(confirm).toHaveAccessibleDescription("Passwords don't match");
    expect(fake.auth.client.updateUser).not.toHaveBeenCalled();
  });

  test('sends the new password alone, says Updating..., then success, and is empty again', async () => {
    let release = () => {};
    fake.auth.client.updateUser.mockReturnValueOnce(
      new Promise((resolve) => (release = () => resolve({ data: { user: null }, error: null }))),
    );
    const { user } = renderApp('/account', fake);
    await user.type(await screen.findByLabelText('Current Password'), 'old secret');
    await user.type(screen.getByLabelText('New Password'), 'new secret');
    await user.type(screen.getByLabelText('Confirm New Password'), 'new secret{Enter}');
    await button('Updating...');
    expect(fake.auth.client.updateUser.mock.calls).toEqual([[{ password: 'new secret' }]]);
    release();
    expect(await screen.findByText('Password updated successfully!')).toBeVisible();
    expect(await button('Update Password')).toBeVisible();
    for (const label of ['Current Password', 'New Password', 'Confirm New Password'])
      expect(screen.getByLabelText(label)).toHaveValue('');
  });

  test("a refusal shows the service's message, an outage the general one; what was typed stays", async () => {
    const refuse = (error: unknown) =>
      fake.auth.client.updateUser.mockResolvedValueOnce({ data: { user: null }, error: error as null });
    refuse(new AuthApiError('New password should be different from the old password.', 422, 'same_password'));
    const { user } = renderApp('/account', fake);
    await user.type(await screen.findByLabelText('Current Password'), 'secret');
    await user.type(screen.getByLabelText('New Password'), 'secret');
    await user.type(screen.getByLabelText('Confirm New Password'), 'secret{Enter}');
    expect(await screen.findByText('New password should be different from the old password.')).toBeVisible();
    // As the client library tells of a connection that was ended.
    refuse(new AuthRetryableFetchError('Failed to fetch', 0));
    await user.click(await button('Update Password'));
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeVisible();
    expect(screen.getByLabelText('New Password')).toHaveValue('secret');
  });
});

describe('two-step sign-in', () => {
  const factor = {
    id: 'f1',
    friendly_name: '<b>Phone</b>',
    factor_type: 'totp',
    status: 'verified',
    created_at: '2026-01-05T12:00:00Z',
  };
  const listed = (...all: object[]) =>
    fake.auth.client.mfa.listFactors.mockResolvedValue({
      data: { all, totp: [], phone: [] } as never,
      error: null,
    });

  test('sets up an app: name, QR code and secret, first code', async () => {
    listed({ ...factor, id: 'half', friendly_name: 'Authenticator app', status: 'unverified' });
    const totp = { qr_code: 'data:image/svg+xml;utf-8,<svg/>', secret: 'JBSWY3DP', uri: 'otpauth://totp/x' };
    fake.auth.client.mfa.enroll.mockResolvedValueOnce({ data: { id: 'new', totp } as never, error: null });
    const { user } = renderApp('/account', fake);
    await user.click(await button('Set up two-step sign-in'));
    await user.click(await button('Continue'));
    // What was left of another attempt would hold on to the name.
    await waitFor(() => expect(fake.auth.client.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'half' }));
    expect(fake.auth.client.mfa.enroll).toHaveBeenCalledWith({
      factorType: 'totp',
      friendlyName: 'Authenticator app',
    });
    expect(await screen.findByRole('img', { name: /QR code/ })).toHaveAttribute('src', totp.qr_code);
    expect(screen.getByText('JBSWY3DP')).toBeVisible();
    const code = screen.getByLabelText('Code from the app');
    await user.type(code, '12 34{Enter}');
    expect(code).toHaveAccessibleDescription('Please enter the 6 digits of the code');
    await user.type(code, '5 6');
    listed(factor);
    await user.click(await button('Turn on'));
    expect(fake.auth.client.mfa.challengeAndVerify).toHaveBeenCalledWith({ factorId: 'new', code: '123456' });
    expect(await screen.findByText('Two-step sign-in is on')).toBeVisible();
    const apps = await screen.findByRole('list', { name: 'Authenticator apps' });
    expect(within(apps).getByText('<b>Phone</b>')).toBeVisible();
    expect(within(apps).getByText('Added January 5, 2026')).toBeVisible();
  });

  test('a setup that is closed half way is taken back', async () => {
    const totp = { qr_code: 'data:,', secret: 'JBSWY3DP', uri: '' };
    fake.auth.client.mfa.enroll.mockResolvedValueOnce({ data: { id: 'new', totp } as never, error: null });
    const { user } = renderApp('/account', fake);
    await user.click(await button('Set up two-step sign-in'));
    await user.click(await button('Continue'));
    await screen.findByText('JBSWY3DP');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(fake.auth.client.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'new' }));
  });

  test('an app is removed after a question, and the session is renewed', async () => {
    listed(factor);
    const { user } = renderApp('/account', fake);
    await user.click(await button('Remove <b>Phone</b>'));
    const question = await screen.findByRole('alertdialog', { name: 'Remove <b>Phone</b>?' });
    expect(question).toHaveTextContent('Sign-in will ask for your password only.');
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Authenticator app removed')).toBeVisible();
    expect(fake.auth.client.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'f1' });
    expect(fake.auth.client.refreshSession).toHaveBeenCalledTimes(1);
  });
});

describe('connected accounts', () => {
  const signIn = {
    anonymous: false,
    phone: false,
    authenticatorApps: true,
    providers: [
      { name: 'github', label: 'GitHub' },
      { name: 'institute', label: 'Institute' },
    ],
  };
  const email = { identity_id: 'i1', id: 'ada', provider: 'email', identity_data: {} };
  const github = { identity_id: 'i2', id: '42', provider: 'github', identity_data: { user_name: 'ada-l' } };

  test('are not shown where the server knows no provider', async () => {
    renderApp('/account', fake);
    await card('Sessions');
    await waitFor(() => expect(fake.auth.client.getUserIdentities).toHaveBeenCalled());
    expect(screen.queryByRole('region', { name: 'Connected Accounts' })).toBeNull();
  });

  test('are connected by a visit to the provider and disconnected after a question', async () => {
    setUp({ signIn });
    fake.auth.client.getUserIdentities.mockResolvedValue({
      data: { identities: [email, github] as never },
      error: null,
    });
    const session = { access_token: 'a', refresh_token: 'r' };
    fake.auth.client.getSession.mockResolvedValue({ data: { session: session as never }, error: null });
    const { user } = renderApp('/account', fake);
    const list = await screen.findByRole('list', { name: 'Connected accounts' });
    expect(within(list).getByText('ada-l')).toBeVisible();
    expect(within(list).getByText('Not connected')).toBeVisible();
    await user.click(await button('Disconnect GitHub'));
    const question = await screen.findByRole('alertdialog');
    await user.click(within(question).getByRole('button', { name: 'Disconnect' }));
    expect(await screen.findByText('Account disconnected')).toBeVisible();
    expect(fake.auth.client.unlinkIdentity).toHaveBeenCalledWith(github);

    await user.click(await button('Connect Institute'));
    await waitFor(() =>
      expect(fake.auth.provider.linkIdentity).toHaveBeenCalledWith({
        provider: 'institute',
        options: { redirectTo: `${location.origin}/auth/callback?next=%2Faccount` },
      }),
    );
    expect(fake.auth.provider.setSession).toHaveBeenCalledWith(session);
  });
});

describe('API keys', () => {
  const key = {
    id: 'k1',
    name: 'Notebook',
    prefix: 'cfp_abcdef',
    created_at: '2026-01-05T12:00:00Z',
    scopes: ['read', 'analyse', 'label', 'upload', 'export'],
    last_used_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    expires_at: null,
  };
  afterEach(() => vi.restoreAllMocks());

  test('a key is named, shown once with an example, and listed', async () => {
    vi.stubGlobal('isSecureContext', true);
    const createdKey = {
      id: 'k2',
      name: 'Cluster',
      prefix: 'cfp_xyz',
      scopes: ['read', 'export'],
      created_at: key.created_at,
      key: 'cfp_secret',
    };
    fake.answer('/rest/v1/rpc/create_api_key', () => json(createdKey));
    const { user } = renderApp('/account', fake);
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    expect(await screen.findByText(/No API keys yet/)).toBeVisible();
    await user.click(await button('Create key'));
    expect(screen.getByLabelText('Name of the new key')).toHaveAccessibleDescription('Please name the key');
    fake.answer('/rest/v1/rpc/list_api_keys', () =>
      json([{ ...createdKey, last_used_at: null, expires_at: '2026-01-10T12:00:00Z' }]),
    );
    const box = (name: string) => screen.getByRole('checkbox', { name });
    expect(box('Find and describe')).toBeChecked();
    expect(box('Bring data in')).not.toBeChecked();
    await user.click(box('Find and describe'));
    await user.click(box('Analyze and draw'));
    await user.type(screen.getByLabelText('Name of the new key'), ' Cluster {Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('Choose at least one.');
    expect(fake.requests.filter(({ path }) => path.includes('create_api_key'))).toEqual([]);
    await user.click(box('Take data out'));
    await user.click(box('Find and describe'));
    await user.type(screen.getByLabelText('Name of the new key'), '{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Your new key: Cluster' });
    expect(within(dialog).getByLabelText('API key')).toHaveTextContent('cfp_secret');
    expect(within(dialog).getByLabelText('Example')).toHaveTextContent(
      "curl -H 'X-API-Key: cfp_secret' \\ http://cellfolio.test/api/dataset_metadata",
    );
    await user.click(within(dialog).getByRole('button', { name: 'Copy key' }));
    expect(copied).toHaveBeenCalledWith('cfp_secret');
    expect(fake.requests.find(({ path }) => path.includes('create_api_key'))?.body).toEqual({
      key_name: 'Cluster',
      valid_days: 365,
      key_scopes: ['read', 'export'],
    });
    await user.click(within(dialog).getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('cfp_secret')).toBeNull();
    const list = await screen.findByRole('list', { name: 'API keys' });
    expect(within(list).getByText('Never used')).toBeVisible();
    expect(within(list).getByText('Find and describe, Take data out')).toBeVisible();
    expect(within(list).getByText('Ended January 10, 2026')).toBeVisible();
  });

  test('a key is revoked after a question', async () => {
    fake.answer('/rest/v1/rpc/list_api_keys', () => json([key]));
    fake.answer('/rest/v1/rpc/revoke_api_key', () => json(true));
    const { user } = renderApp('/account', fake);
    const list = await screen.findByRole('list', { name: 'API keys' });
    expect(within(list).getByText('Last used 3h ago')).toBeVisible();
    expect(within(list).getByText('No end date')).toBeVisible();
    expect(within(list).getByText('All scopes')).toBeVisible();
    await user.click(await button('Revoke Notebook'));
    fake.answer('/rest/v1/rpc/list_api_keys', () => json([]));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('API key revoked')).toBeVisible();
    expect(fake.requests.find(({ path }) => path.includes('revoke_api_key'))?.body).toEqual({ key_id: 'k1' });
    expect(await screen.findByText(/No API keys yet/)).toBeVisible();
  });

  test("the server's words are shown when it refuses", async () => {
    const refusal = {
      code: 'PT409',
      message: 'An account holds at most 20 API keys.',
      details: null,
      hint: null,
    };
    fake.answer('/rest/v1/rpc/create_api_key', () => json(refusal, 409));
    const { user } = renderApp('/account', fake);
    await user.type(await screen.findByLabelText('Name of the new key'), 'One more{Enter}');
    expect(await screen.findByText('An account holds at most 20 API keys.')).toBeVisible();
  });
});

test('signs out on the other devices, or everywhere', async () => {
  const { user } = renderApp('/account', fake);
  await user.click(await button('Sign out other devices'));
  expect(await screen.findByText('Your other devices are signed out')).toBeVisible();
  await user.click(await button('Sign out everywhere'));
  expect(fake.auth.client.signOut.mock.calls).toEqual([[{ scope: 'others' }], [{ scope: 'global' }]]);
});
