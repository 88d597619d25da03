import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

test('M59 an unknown path says so, links home and logs the path', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  renderApp('/no/such/page', fakeServices());
  expect(await screen.findByRole('heading', { name: '404' })).toBeVisible();
  expect(screen.getByText('Oops! Page not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  await waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('/no/such/page')));
});

test('the landing page leads to the datasets, and to sign-in only those who are signed out', async () => {
  const fake = fakeServices();
  fake.auth.signOut();
  const { unmount } = renderApp('/', fake);
  expect(await screen.findByRole('link', { name: 'Browse datasets' })).toHaveAttribute(
    'href',
    '/dataset-selector',
  );
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
  unmount();
  fake.auth.signIn();
  renderApp('/', fake);
  await screen.findByRole('link', { name: 'Browse datasets' });
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
});
