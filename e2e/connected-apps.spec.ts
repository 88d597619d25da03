import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { becomeNewUser } from './support/accounts.ts';
import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

/** An app on this device: its metadata document, and the page that the browser comes back to. */
async function startApp() {
  const app = createServer((request, response) => {
    const document = {
      client_id: `${url}/app.json`,
      client_name: 'Notebook',
      redirect_uris: [`${url}/back`],
    };
    response.end(request.url === '/app.json' ? JSON.stringify(document) : 'Back in the app');
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  return { url, stop: () => app.close().closeAllConnections() };
}

test('a user allows an app some scopes, sees it on the account page, and revokes it', async ({
  page,
  baseURL,
}) => {
  const app = await startApp();
  const verifier = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: `${app.url}/app.json`,
    redirect_uri: `${app.url}/back`,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${baseURL}/mcp`,
    state: 'its state',
  });
  await becomeNewUser(page);
  await page.goto(`/oauth/authorize?${request}`);
  await expect(page.getByRole('region', { name: 'Notebook asks to work in your name' })).toBeVisible();
  await expectAccessible(page, page.getByRole('main'));
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoWiderThanScreen(page);
  }
  await page.getByRole('checkbox', { name: 'Analyze and draw' }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('Back in the app')).toBeVisible();
  const answer = new URL(page.url()).searchParams;
  expect(Object.fromEntries(answer)).toMatchObject({ state: 'its state', iss: baseURL });

  const exchanged = await fetch(`${baseURL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: `${app.url}/app.json`,
      redirect_uri: `${app.url}/back`,
      code: answer.get('code')!,
      code_verifier: verifier,
    }),
  });
  const { access_token: token, scope } = (await exchanged.json()) as { access_token: string; scope: string };
  expect(scope).toBe('read');
  const list = () =>
    fetch(`${baseURL}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  expect(await (await list()).text()).toContain('describe_dataset');

  await page.goto('/account');
  const apps = page.getByRole('list', { name: 'Connected apps' });
  await expect(apps).toContainText('Find and describe');
  await expectAccessible(page, apps);
  await page.getByRole('button', { name: 'Revoke Notebook' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No app is connected.')).toBeVisible();
  expect((await list()).status).toBe(401);
  app.stop();
});
