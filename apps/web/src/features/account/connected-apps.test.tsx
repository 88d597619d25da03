import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeServices, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const features = {
  signUp: true,
  upload: false,
  aiAnalysis: false,
  checkout: false,
  connectedApps: true,
};
const address = '/oauth/authorize?client_id=https%3A%2F%2Fapp.example%2Fc.json&state=s&scope=read';
const request = { client_id: 'https://app.example/c.json', state: 's', scope: 'read' };
const described = {
  client_name: 'Notebook <b>',
  client_host: 'app.example',
  redirect_host: 'app.example',
  on_this_device: false,
  scopes: ['read', 'analyse'],
  denied_address: 'https://app.example/back?error=access_denied&state=s',
};

const page = location;
let fake: FakeServices;
let assign: ReturnType<typeof vi.fn>;
beforeEach(() => {
  fake = fakeServices({ features });
  fake.auth.signIn();
  fake.answer('/api/app-requests', () => json(described));
  assign = vi.fn();
  vi.stubGlobal('location', { origin: page.origin, href: page.href, assign });
});
afterEach(() => void vi.stubGlobal('location', page));

const press = async (name: string) => screen.findByRole('button', { name });
const bodyOf = (path: string) => fake.requests.find((one) => one.path === path)?.body;

test('an app is allowed with the scopes that the user leaves on, and the browser goes back to it', async () => {
  const back = 'https://app.example/back?code=c&state=s';
  fake.answer('/api/connected-apps', () => json({ allowed_address: back }));
  const { user } = renderApp(address, fake);
  const card = await screen.findByRole('region', { name: 'Notebook <b> asks to work in your name' });
  expect(within(card).getAllByText('app.example')).toHaveLength(2);
  expect(bodyOf('/api/app-requests')).toEqual(request);
  const box = screen.getByRole('checkbox', { name: 'Analyze and draw' });
  expect(box).toBeChecked();
  expect(screen.queryByRole('checkbox', { name: 'Bring data in' })).toBeNull();
  await user.click(box);
  expect(assign).not.toHaveBeenCalled();
  await user.click(await press('Allow'));
  await waitFor(() => expect(assign).toHaveBeenCalledWith(back));
  expect(bodyOf('/api/connected-apps')).toEqual({ ...request, scopes: ['read'] });
});

test('no app is allowed without a scope', async () => {
  const { user } = renderApp(address, fake);
  for (const name of ['Find and describe', 'Analyze and draw'])
    await user.click(await screen.findByRole('checkbox', { name }));
  await user.click(await press('Allow'));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose at least one.');
  expect(bodyOf('/api/connected-apps')).toBeUndefined();
});

test('denying sends the browser back with the refusal alone', async () => {
  const { user } = renderApp(address, fake);
  await user.click(await press('Deny'));
  expect(assign).toHaveBeenCalledWith(described.denied_address);
  expect(bodyOf('/api/connected-apps')).toBeUndefined();
});

test('a program on the device is warned about', async () => {
  const local = { ...described, on_this_device: true, redirect_host: '127.0.0.1:33333' };
  fake.answer('/api/app-requests', () => json(local));
  renderApp(address, fake);
  expect(await screen.findByText(/which one cannot be checked/)).toBeVisible();
  expect(screen.getByText('127.0.0.1:33333')).toBeVisible();
});

test('a wrong request is explained, and the browser goes back only by a click', async () => {
  const error_address = 'https://app.example/back?error=invalid_scope';
  const refusal = {
    code: 'invalid_app_request',
    message: 'The app asked wrongly.',
    details: { error_address },
  };
  fake.answer('/api/app-requests', () => json(refusal, 400));
  const { user } = renderApp(address, fake);
  expect(await screen.findByText('The app asked wrongly.')).toBeVisible();
  expect(assign).not.toHaveBeenCalled();
  await user.click(await press('Return to the app'));
  expect(assign).toHaveBeenCalledWith(error_address);
});

test('a request whose app is unknown leads nowhere', async () => {
  fake.answer('/api/app-requests', () => json({ code: 'invalid_client', message: 'No document.' }, 400));
  renderApp(address, fake);
  expect(await screen.findByText('No document.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Return|Allow/ })).toBeNull();
});

test('who is signed out signs in first, and comes back to the question', async () => {
  fake.auth.signOut();
  renderApp(address, fake);
  expect(await screen.findByText(/sign in to open the page that connects an app/)).toBeVisible();
  expect(bodyOf('/api/app-requests')).toBeUndefined();
});

test('the account page lists connected apps, and revokes one after a question', async () => {
  fake.answer('/functions/v1/check-subscription', () => json({ subscribed: false }));
  fake.answer('/rest/v1/rpc/list_api_keys', () => json([]));
  const app = {
    id: '00000000-0000-4000-8000-000000000001',
    client_name: 'Notebook',
    client_host: 'app.example',
    scopes: ['read'],
    connected_at: '2026-01-05T12:00:00Z',
    last_used_at: null,
  };
  fake.answer('/api/connected-apps', () => json({ apps: [app] }));
  const { user } = renderApp('/account', fake);
  const list = await screen.findByRole('list', { name: 'Connected apps' });
  expect(within(list).getByText('app.example')).toBeVisible();
  expect(within(list).getByText('Find and describe')).toBeVisible();
  await user.click(within(list).getByRole('button', { name: 'Revoke Notebook' }));
  fake.answer('/api/connected-apps/', () => json({ disconnected: true }));
  fake.answer('/api/connected-apps', () => json({ apps: [] }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('No app is connected.')).toBeVisible();
  expect(fake.requests.find(({ method }) => method === 'DELETE')?.path).toBe(`/api/connected-apps/${app.id}`);
});
