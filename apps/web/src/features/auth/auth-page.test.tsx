import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.auth.signOut();
  fake.answer('/api/dataset_metadata', () => json({}));
});

const tab = (name: string) => screen.findByRole('tab', { name });
const button = (name: string) => screen.getByRole('button', { name });

describe('the sign-in page', () => {
  test('shows its texts, Sign In first, and the way home', async () => {
    renderApp('/auth', fake);
    expect(await tab('Sign In')).toHaveAttribute('aria-selected', 'true');
    expect(await tab('Sign Up')).toHaveAttribute('aria-selected', 'false');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/welcome/i);
    expect(screen.getByText('Sign in to access gene expression analysis tools')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to homepage' })).toHaveAttribute('href', '/');
    expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  });

  test('signing in needs a valid email and a password, and sends no request before', async () => {
    const { user } = renderApp('/auth', fake);
    await tab('Sign In');
    await user.click(button('Sign In'));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required');
    await user.type(screen.getByLabelText('Email'), 'not an address');
    await user.click(button('Sign In'));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    expect(fake.auth.client.signInWithPassword).not.toHaveBeenCalled();
  });

  test('signing up needs a password of six characters; signing in takes any', async () => {
    const { user } = renderApp('/auth', fake);
    await user.click(await tab('Sign Up'));
    await user.type(screen.getByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Password'), '12345');
    await user.click(button('Sign Up'));
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    expect(fake.auth.client.signUp).not.toHaveBeenCalled();
    await user.click(await tab('Sign In'));
    await user.click(button('Sign In'));
    expect(fake.auth.client.signInWithPassword).toHaveBeenCalledWith({
      email: 'ada@cellfolio.test',
      password: '12345',
    });
  });

  test('shows the message of the service, or the fallback where it has none', async () => {
    const signIn = fake.auth.client.signInWithPassword;
    const answer = (error: unknown) =>
      signIn.mockResolvedValueOnce({ data: { user: null, session: null }, error: error as never });
    answer(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'));
    const { user } = renderApp('/auth', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid login credentials');
    // As the client library tells of an outage, and of a connection that was ended.
    answer(new AuthRetryableFetchError('{}', 503));
    await user.click(button('Sign In'));
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent('An error occurred during sign in'),
    );
    answer(new AuthRetryableFetchError('Failed to fetch', 0));
    await user.click(button('Sign In'));
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent('An error occurred during sign in'),
    );
    await user.click(await tab('Sign Up'));
    expect(screen.queryByRole('alert')).toBeNull();
    fake.auth.client.signUp.mockRejectedValueOnce('no network');
    await user.click(button('Sign Up'));
    expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred during sign up');
  });

  test('signing up without a session asks to look for the confirmation mail', async () => {
    const { user, address } = renderApp('/auth', fake);
    await user.click(await tab('Sign Up'));
    await user.type(screen.getByLabelText('Email'), 'ada@cellfolio.test');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByText('Please check your email for a confirmation link.')).toBeVisible();
    expect(fake.auth.client.signUp).toHaveBeenCalledWith({
      email: 'ada@cellfolio.test',
      password: 'secret',
      options: { emailRedirectTo: `${location.origin}/dataset-selector` },
    });
    expect(address()).toBe('/auth');
  });

  test('a user who is signed in, or signs in, goes to the dataset selector', async () => {
    const { address } = renderApp('/auth', fake);
    await tab('Sign In');
    act(() => fake.auth.signIn());
    await screen.findByRole('heading', { name: 'Dataset Selector' });
    expect(address()).toBe('/dataset-selector');
  });

  test('a click on a demo account fills the form', async () => {
    const demo = fakeServices({
      demoAccounts: [{ tier: 'trial', email: 'trial@cellfolio.test', password: 'abcdef' }],
    });
    demo.auth.signOut();
    const { user } = renderApp('/auth', demo);
    const accounts = await screen.findByRole('region', { name: 'Demo accounts' });
    await user.click(within(accounts).getByRole('button', { name: /trial@cellfolio.test/ }));
    expect(screen.getByLabelText('Email')).toHaveValue('trial@cellfolio.test');
    expect(screen.getByLabelText('Password')).toHaveValue('abcdef');
  });
});
