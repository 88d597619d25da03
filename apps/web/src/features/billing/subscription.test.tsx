import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { isProfessional, subscriptionOf, useSubscription } from './subscription.ts';
import { useCustomerPortal } from './payment-pages.ts';

const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString();
const check = '/functions/v1/check-subscription';
const standardPlan = {
  subscribed: true,
  subscription_tier: 'Standard',
  subscription_end: '2027-01-31T00:00:00Z',
};
const none = { subscribed: false, subscription_tier: null, subscription_end: null };

let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.answer(check, () => json(standardPlan));
});

function render<T>(hook: () => T) {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={client}>
        {children}
        <Toaster theme="light" />
      </QueryClientProvider>
    </ServicesContext>
  );
  return renderHook(hook, { wrapper });
}

const checks = () => fake.requests.filter(({ path }) => path === check);

describe('the subscription', () => {
  test('is checked on load and on sign-in, and forgotten on sign-out', async () => {
    const { result } = render(useSubscription);
    expect(result.current).toMatchObject({ ...none, trialExpired: false, loading: true, failed: false });
    act(() => fake.auth.signIn());
    expect(result.current.loading).toBe(true);
    await waitFor(() => expect(result.current).toMatchObject({ ...standardPlan, loading: false }));
    expect(checks()).toHaveLength(1);
    expect(checks()[0]).toMatchObject({ method: 'POST', body: undefined });

    act(() => fake.auth.signOut());
    expect(result.current).toMatchObject({ ...none, trialExpired: false, loading: false, failed: false });
    act(() => fake.auth.signIn());
    expect(result.current).toMatchObject({ ...none, loading: true });
    await waitFor(() => expect(result.current.subscribed).toBe(true));
    expect(checks()).toHaveLength(2);
  });

  test('an account of seven days has no trial left, unless it has a plan', async () => {
    fake.answer(check, () => json(none));
    const { result } = render(useSubscription);
    act(() => fake.auth.signIn('ada@cellfolio.test', daysAgo(6.99)));
    await waitFor(() => expect(result.current.loading).toBe(false));
    expect(result.current.trialExpired).toBe(false);

    act(() => fake.auth.signIn('ada@cellfolio.test', daysAgo(7)));
    act(() => fake.auth.signOut());
    act(() => fake.auth.signIn('ada@cellfolio.test', daysAgo(7)));
    expect(result.current.trialExpired).toBe(false);
    await waitFor(() => expect(result.current.trialExpired).toBe(true));

    act(() => fake.auth.signOut());
    expect(result.current.trialExpired).toBe(false);
    fake.answer(check, () => json(standardPlan));
    act(() => fake.auth.signIn('ada@cellfolio.test', daysAgo(400)));
    await waitFor(() => expect(result.current.subscribed).toBe(true));
    expect(result.current.trialExpired).toBe(false);
  });

  test('a trial that ends while the page is open has ended', async () => {
    fake.answer(check, () => json(none));
    const { result } = render(useSubscription);
    act(() => fake.auth.signIn('ada@cellfolio.test', new Date(Date.now() - 7 * day + 1500).toISOString()));
    await waitFor(() => expect(result.current.loading).toBe(false));
    await waitFor(() => expect(result.current.trialExpired).toBe(true));
  });

  test('a check that fails says so, and takes no user for expired', async () => {
    fake.answer(check, () => json({ error: 'no' }, 500));
    const { result } = render(useSubscription);
    act(() => fake.auth.signIn('ada@cellfolio.test', daysAgo(30)));
    expect(await screen.findByText('Error checking subscription')).toBeVisible();
    expect(screen.getByText('Unable to verify subscription status.')).toBeVisible();
    expect(result.current).toMatchObject({ ...none, trialExpired: false, loading: false, failed: true });
  });

  test('an answer in another form counts as no plan', () => {
    for (const answer of [
      null,
      'yes',
      {},
      { subscribed: 'true', subscription_tier: '<b>', subscription_end: 'x' },
    ])
      expect(subscriptionOf(answer)).toEqual(none);
    expect(isProfessional(subscriptionOf({ ...standardPlan, subscription_tier: 'Professional' }))).toBe(true);
    expect(isProfessional(subscriptionOf({ subscribed: false, subscription_tier: 'Professional' }))).toBe(
      false,
    );
    expect(isProfessional(subscriptionOf(standardPlan))).toBe(false);
  });
});

describe('the customer portal', () => {
  const portal = '/functions/v1/customer-portal';
  const opened = { opener: {} as unknown, location: { replace: vi.fn() }, close: vi.fn() };
  const open = vi.fn(() => opened);
  const { open: own } = globalThis;
  beforeEach(() => vi.stubGlobal('open', open));
  afterEach(() => {
    vi.stubGlobal('open', own);
    vi.clearAllMocks();
  });

  test('opens a tab within the click and leads it to the address of the service', async () => {
    fake.answer(portal, () => json({ url: 'https://billing.test/session' }));
    const { result } = render(useCustomerPortal);
    act(() => fake.auth.signIn());
    act(() => {
      result.current.open();
      expect(open).toHaveBeenCalledTimes(1);
    });
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://billing.test/session'));
    expect(opened.opener).toBeNull();
    await waitFor(() => expect(result.current.opening).toBe(false));
  });

  test('closes the tab and says so when the service refuses, or gives no web address', async () => {
    fake.answer(portal, () => json({ error: 'no customer' }, 400));
    const { result } = render(useCustomerPortal);
    act(() => fake.auth.signIn());
    act(() => result.current.open());
    expect(await screen.findByText('Error opening portal')).toBeVisible();
    expect(screen.getByText('Unable to open customer portal.')).toBeVisible();
    expect(opened.close).toHaveBeenCalledTimes(1);

    fake.answer(portal, () => json({ url: 'javascript:alert(1)' }));
    act(() => result.current.open());
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeVisible();
    expect(opened.location.replace).not.toHaveBeenCalled();
    expect(opened.close).toHaveBeenCalledTimes(2);
  });

  test('asks a visitor to sign in', async () => {
    const { result } = render(useCustomerPortal);
    act(() => fake.auth.signOut());
    act(() => result.current.open());
    expect(await screen.findByText('Please sign in to manage subscription.')).toBeVisible();
    expect(open).not.toHaveBeenCalled();
  });
});
