import { AuthApiError } from '@supabase/auth-js';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { cleanCode } from './code-form.tsx';

const ways = { providers: [], anonymous: false, phone: false, authenticatorApps: true };

let fake: FakeServices;
function setUp(overrides: Parameters<typeof fakeServices>[0] = {}) {
  fake = fakeServices(overrides);
  fake.auth.signOut();
  fake.answer('/api/dataset_metadata', () => json({}));
}
beforeEach(() => setUp());

const button = (name: string) => screen.findByRole('button', { name });
const refused = (message: string, code: string) =>
  ({ data: { user: null, session: null }, error: new AuthApiError(message, 400, code) as never }) as const;
const confirmedPage = () => `${location.origin}/dataset-selector`;

describe('two-step sign-in', () => {
  test('after the password the form requests the code of the app, and only then the user is signed in', async () => {
    const { user, address } = renderApp('/auth', fake);
    await screen.findByRole('tab', { name: 'Sign In' });
    act(() => fake.auth.askSecondStep());
    expect(await screen.findByRole('heading', { name: 'Two-step sign-in' })).toBeVisible();
    expect(screen.getByText('Signing in as ada@cellfolio.test')).toBeVisible();
    expect(address()).toBe('/auth');
    const code = screen.getByLabelText('Code from your authenticator app');
    expect(code).toHaveFocus();
    fake.auth.client.mfa.challengeAndVerify.mockResolvedValueOnce({
      data: null,
      error: new AuthApiError('Invalid TOTP code entered', 422, 'mfa_verification_failed') as never,
    });
    await user.type(code, '000000{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid TOTP code entered');
    await user.clear(code);
    await user.type(code, '123 456{Enter}');
    expect(fake.auth.client.mfa.challengeAndVerify).toHaveBeenLastCalledWith({
      factorId: 'factor',
      code: '123456',
    });
    act(() => fake.auth.signIn());
    await screen.findByRole('heading', { name: 'Dataset Selector' });
  });

  test('with two apps, the one whose code it is can be chosen', async () => {
    const { user } = renderApp('/auth', fake);
    await screen.findByRole('tab', { name: 'Sign In' });
    act(() => fake.auth.askSecondStep('ada@cellfolio.test', { one: 'Phone', two: '' }));
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '123456');
    await user.click(screen.getByRole('radio', { name: 'Authenticator app' }));
    await user.click(await button('Verify'));
    expect(fake.auth.client.mfa.challengeAndVerify).toHaveBeenCalledWith({ factorId: 'two', code: '123456' });
  });

  test('a page for users redirects a user who has not taken the second step to it', async () => {
    const { user, address } = renderApp('/account', fake);
    act(() => fake.auth.askSecondStep());
    await user.click(await button('Use another account'));
    expect(address()).toBe('/auth');
    expect(fake.auth.client.signOut).toHaveBeenCalledWith({ scope: 'local' });
  });
});

describe('an account that is not confirmed', () => {
  test('has its mail sent again from the sign-in that was refused', async () => {
    fake.auth.client.signInWithPassword.mockResolvedValueOnce(
      refused('Email not confirmed', 'email_not_confirmed'),
    );
    const { user, address } = renderApp('/auth', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Email not confirmed');
    await user.click(await button('Resend confirmation'));
    expect(await screen.findByText(/The email was sent again/)).toBeVisible();
    expect(fake.auth.client.resend).toHaveBeenCalledWith({
      type: 'signup',
      email: 'ada@cellfolio.test',
      options: { emailRedirectTo: confirmedPage() },
    });
    await user.click(screen.getByRole('link', { name: 'Enter the code instead' }));
    await waitFor(() => expect(address()).toBe('/auth/confirm'));
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@cellfolio.test');
  });

  test('is confirmed by the six digits of the mail', async () => {
    const { user, address } = renderApp('/auth/confirm', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Code from the email'), '12345{Enter}');
    expect(screen.getByLabelText('Code from the email')).toHaveAccessibleDescription(
      'Please enter the 6 digits of the code',
    );
    fake.auth.client.verifyOtp.mockResolvedValueOnce(
      refused('Token has expired or is invalid', 'otp_expired'),
    );
    await user.type(screen.getByLabelText('Code from the email'), '6{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Token has expired or is invalid');
    await user.click(await button('Confirm'));
    expect(fake.auth.client.verifyOtp).toHaveBeenLastCalledWith({
      type: 'signup',
      email: 'ada@cellfolio.test',
      token: '123456',
    });
    act(() => fake.auth.signIn());
    await screen.findByRole('heading', { name: 'Dataset Selector' });
    expect(address()).toBe('/dataset-selector');
  });

  test('is confirmed by a link at a click, not by opening it; a used link leads to another mail', async () => {
    const { user } = renderApp('/auth/confirm?token_hash=abc&type=signup', fake);
    await button('Confirm');
    expect(fake.auth.client.verifyOtp).not.toHaveBeenCalled();
    fake.auth.client.verifyOtp.mockResolvedValueOnce(
      refused('Email link is invalid or has expired', 'otp_expired'),
    );
    await user.click(await button('Confirm'));
    expect(fake.auth.client.verifyOtp).toHaveBeenCalledWith({ token_hash: 'abc', type: 'signup' });
    expect(await screen.findByText('Email link is invalid or has expired')).toBeVisible();
    await user.click(await button('Resend confirmation'));
    const emails = screen.getAllByLabelText('Email');
    await user.type(emails.at(-1) as HTMLElement, 'ada@cellfolio.test{Enter}');
    expect(await screen.findByText(/a new email is on its way/)).toBeVisible();
  });

  test('an address that is changed from two mailboxes says that the other has to follow', async () => {
    const { user } = renderApp('/auth/confirm?token_hash=abc&type=email_change', fake);
    await user.click(await button('Confirm'));
    expect(
      await screen.findByText('Thank you. Please also open the link sent to the other address.'),
    ).toBeVisible();
  });
});

describe('a forgotten password', () => {
  test('has a link sent, and says the same whether there is such an account or not', async () => {
    const { user, address } = renderApp('/auth', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@cellfolio.test');
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByRole('heading', { name: 'Reset your password' })).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('ada@cellfolio.test');
    await user.click(await button('Send reset link'));
    expect(await screen.findByRole('status')).toHaveTextContent(
      'If there is an account for ada@cellfolio.test, a link is on its way.',
    );
    expect(fake.auth.client.resetPasswordForEmail).toHaveBeenCalledWith('ada@cellfolio.test', {
      redirectTo: `${location.origin}/auth/reset-password`,
    });
    await user.click(screen.getByRole('link', { name: 'Enter the code from the email' }));
    await waitFor(() => expect(address()).toBe('/auth/reset-password'));
    await user.type(await screen.findByLabelText('Code from the email'), '123456{Enter}');
    expect(fake.auth.client.verifyOtp).toHaveBeenCalledWith({
      type: 'recovery',
      email: 'ada@cellfolio.test',
      token: '123456',
    });
  });

  test('an address must be one', async () => {
    const { user } = renderApp('/auth/forgot-password', fake);
    await user.click(await button('Send reset link'));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    await user.type(screen.getByLabelText('Email'), 'nobody{Enter}');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    expect(fake.auth.client.resetPasswordForEmail).not.toHaveBeenCalled();
  });

  test('the link leads to a new password, typed twice', async () => {
    fake.auth.signIn();
    const { user } = renderApp('/auth/reset-password', fake);
    await user.type(await screen.findByLabelText('New Password'), '12345');
    await user.type(screen.getByLabelText('Confirm New Password'), 'other{Enter}');
    expect(screen.getByLabelText('New Password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    expect(screen.getByLabelText('Confirm New Password')).toHaveAccessibleDescription(
      "Passwords don't match",
    );
    await user.type(screen.getByLabelText('New Password'), '6');
    await user.clear(screen.getByLabelText('Confirm New Password'));
    await user.type(screen.getByLabelText('Confirm New Password'), '123456{Enter}');
    expect(await screen.findByText('Password updated successfully!')).toBeVisible();
    expect(fake.auth.client.updateUser.mock.calls).toEqual([[{ password: '123456' }]]);
    expect(screen.getByRole('link', { name: 'Browse Datasets' })).toHaveAttribute(
      'href',
      '/dataset-selector',
    );
  });

  test('an expired link says so and offers another', async () => {
    renderApp(
      '/auth/reset-password#error=access_denied&error_description=Email+link+is+invalid+or+has+expired',
      fake,
    );
    expect(
      await screen.findByText('Email link is invalid or has expired', { selector: '[role=alert] *' }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute(
      'href',
      '/auth/forgot-password',
    );
  });
});

describe('other providers', () => {
  const signIn = { ...ways, providers: [{ name: 'institute', label: 'My Institute' }] };

  test('have a button each where the settings name them, and none otherwise', async () => {
    const { unmount } = renderApp('/auth', fake);
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
    unmount();
    setUp({ signIn });
    const { user } = renderApp('/auth', fake);
    await user.click(await button('Continue with My Institute'));
    expect(fake.auth.provider.signInWithOAuth).toHaveBeenCalledWith({
      provider: 'institute',
      options: { redirectTo: `${location.origin}/auth/callback` },
    });
  });

  test('send back a code, which is turned into a session once', async () => {
    const session = { access_token: 'a', refresh_token: 'r' };
    fake.auth.provider.exchangeCodeForSession.mockResolvedValue({
      data: { session: session as never },
      error: null,
    });
    fake.auth.client.setSession.mockImplementation(async () => {
      fake.auth.signIn();
      return { data: { user: null, session: null }, error: null };
    });
    const { address } = renderApp('/auth/callback?code=xyz&next=https://evil.test', fake);
    await screen.findByRole('heading', { name: 'Dataset Selector' });
    expect(fake.auth.provider.exchangeCodeForSession.mock.calls).toEqual([['xyz']]);
    expect(fake.auth.client.setSession).toHaveBeenCalledWith(session);
    expect(address()).toBe('/dataset-selector');
  });

  test('that refuse are quoted, with the way back', async () => {
    fake.auth.signIn();
    renderApp(
      '/auth/callback?next=/account#error=x&error_description=It+is+already+linked+to+another+user',
      fake,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('already linked to another user');
    expect(screen.getByRole('link', { name: 'Back to your account' })).toHaveAttribute('href', '/account');
  });
});

describe('a captcha', () => {
  test('that the settings name is required before a form is sent, and its proof counts once', async () => {
    setUp({ signIn: { ...ways, captcha: { provider: 'turnstile', siteKey: 'site' } } });
    const proofs: ((token: string) => void)[] = [];
    vi.stubGlobal('turnstile', {
      render: (_place: HTMLElement, { callback }: { callback: (token: string) => void }) => {
        proofs.push(callback);
        return 'widget';
      },
      remove: () => {},
    });
    const { user } = renderApp('/auth', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please complete the check below first.');
    expect(fake.auth.client.signInWithPassword).not.toHaveBeenCalled();

    const script = document.head.querySelector('script[src^="https://challenges.cloudflare.com/"]');
    script?.dispatchEvent(new Event('load'));
    await waitFor(() => expect(proofs).toHaveLength(1));
    act(() => proofs[0]?.('proof'));
    await user.click(await button('Sign In'));
    expect(fake.auth.client.signInWithPassword).toHaveBeenCalledWith({
      email: 'ada@cellfolio.test',
      password: 'secret',
      options: { captchaToken: 'proof' },
    });
    await waitFor(() => expect(proofs).toHaveLength(2));
  });

  test('that no settings name loads no script', async () => {
    document.head.querySelectorAll('script').forEach((script) => script.remove());
    renderApp('/auth', fake);
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(document.head.querySelector('script')).toBeNull();
  });
});

test('a code is its digits, however it was pasted', () => {
  expect(cleanCode(' 123 456\n')).toBe('123456');
  expect(cleanCode('12-34-56-78')).toBe('123456');
});
