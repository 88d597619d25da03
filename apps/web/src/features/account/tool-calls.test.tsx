import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { type FakeServices, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const call = {
  id: '7',
  at: '2026-01-05T12:00:00Z',
  tool: 'analyze_markers',
  dataset: 'cells.h5ad',
  credential: 'key',
  credential_name: 'Laptop <b>',
  status: 200,
  milliseconds: 1240,
};
const page =
  (calls: readonly object[], next_before: string | null = null) =>
  () =>
    json({ calls, next_before, kept_days: 90 });

let fake: FakeServices;
const setUp = (tools: boolean) => {
  fake = fakeServices({
    features: { signUp: true, upload: false, aiAnalysis: false, checkout: false, tools },
  });
  fake.auth.signIn();
  fake.answer('/functions/v1/check-subscription', () => json({ subscribed: false }));
  fake.answer('/rest/v1/rpc/list_api_keys', () => json([]));
};
beforeEach(() => setUp(true));

test('the account page lists calls of tools, with the credential and how they ended', async () => {
  const calls = [
    { ...call, id: '9', credential: 'app', credential_name: 'Notebook', status: 403, milliseconds: 8 },
    { ...call, id: '8', credential: 'session', credential_name: '', dataset: null, status: 499 },
    call,
  ];
  fake.answer('/api/tool-calls', page(calls));
  renderApp('/account', fake);
  const list = await screen.findByRole('list', { name: 'Tool calls' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^analyze_markerscells\.h5adApp Notebook.*8 msRefused \(403\)$/),
    expect.stringMatching(/^analyze_markersSigned-in session.*1\.2 sCanceled$/),
    expect.stringMatching(/^analyze_markerscells\.h5adKey Laptop <b>.*1\.2 s$/),
  ]);
  expect(screen.queryByRole('button', { name: 'Older calls' })).toBeNull();
});

test('older calls are a page further, and the newest come back', async () => {
  fake.answer('/api/tool-calls', page([call], '7'));
  const { user } = renderApp('/account', fake);
  expect(await screen.findByText('analyze_markers')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Newer calls' })).toBeDisabled();
  fake.answer('/api/tool-calls?before=7', page([{ ...call, id: '6', tool: 'find_genes' }]));
  await user.click(screen.getByRole('button', { name: 'Older calls' }));
  expect(await screen.findByText('find_genes')).toBeVisible();

  expect(screen.getByText('Page 2')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Older calls' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Newer calls' }));
  expect(await screen.findByText('analyze_markers')).toBeVisible();
});

test('without calls the account page says so, and without tools it has no list', async () => {
  fake.answer('/api/tool-calls', page([]));
  const { unmount } = renderApp('/account', fake);
  expect(await screen.findByText('No tool was called in the last 90 days.')).toBeVisible();
  unmount();
  setUp(false);
  renderApp('/account', fake);
  expect(await screen.findByRole('region', { name: 'Sessions' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Tool Calls' })).toBeNull();
});
