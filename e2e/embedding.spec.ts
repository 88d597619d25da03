import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { becomeNewUser } from './support/accounts.ts';
import { dataset, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

const site = process.env['CELLFOLIO_E2E_URL'] ?? '';
const other = 'demo-healthy-blood.h5ad';

/** A page of another site with what is after `#` of its address as its body. */
async function portal(port: number): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Portal</title><body><script>document.body.innerHTML = decodeURIComponent(location.hash.slice(1))</script>',
    );
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

// One site is allowed, so one test at a time is that site.
test.describe.configure({ mode: 'serial' });

test.describe('a site that is allowed', () => {
  let allowed: { origin: string; server: Server };
  test.beforeAll(async () => {
    allowed = await portal(Number(new URL(process.env['CELLFOLIO_E2E_EMBED_ORIGIN'] ?? '').port));
  });
  test.afterAll(() => allowed.server.close());

  test('frames a live map of a public dataset, whose calls are a visitor’s also while somebody is signed in', async ({
    page,
  }) => {
    await becomeNewUser(page);
    await page.goto(`${site}/explorer`);
    const { html } = (await (
      await fetch(`${site}/oembed?${new URLSearchParams({ url: `${site}/embed/${other}?gene=MS4A1` })}`)
    ).json()) as { html: string };
    const calls: { path: string; headers: Record<string, string> }[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isCall = /^\/(api|auth|rest|storage|functions)\//.test(pathname) || pathname === '/config.json';
      if (isCall) calls.push({ path: pathname, headers: request.headers() });
    });
    await page.waitForLoadState('networkidle');
    calls.length = 0;
    await page.goto(`${allowed.origin}/#${encodeURIComponent(html)}`);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('group', { name: 'Map of MS4A1' })).toBeVisible();
    await expect(frame.getByRole('heading', { name: 'Blood of healthy donors' })).toBeVisible();
    const link = frame.getByRole('link', { name: 'Open in Cellfolio' });
    await expect(link).toHaveAttribute('href', `/explorer?dataset=${other}&view=gene-umap%3AMS4A1`);
    await expect(link).toHaveAttribute('rel', 'noopener');

    const map = frame.getByRole('application', { name: /^Map: MS4A1/ });
    await map.focus();
    const before = await map.screenshot();
    await page.keyboard.press('+');
    await expect.poll(async () => before.equals(await map.screenshot())).toBe(false);
    await frame.getByRole('textbox', { name: 'Color by a gene' }).fill('CD3D');
    await page.keyboard.press('Enter');
    await expect(frame.getByRole('group', { name: 'Map of CD3D' })).toBeVisible();
    await frame.getByRole('button', { name: 'Color by: CD3D' }).click();
    await frame.getByRole('button', { name: /^Cell Type/ }).click();
    await expect(frame.getByRole('list', { name: 'Categories' }).getByRole('listitem').first()).toBeVisible();

    expect(calls.length).toBeGreaterThan(4);
    for (const { path, headers } of calls) {
      expect(path).toMatch(/^\/api\/(render-figure|datasets\/[^/]+\/columns)/);
      expect(headers['x-demo-dataset']).toBe(other);
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });
});

test.describe('a site that is not named', () => {
  test.use({ expectedErrors: /frame-ancestors|Framing|X-Frame-Options|Refused to display/ });

  test('cannot frame a view, and the site itself no other page', async ({ page }) => {
    const refused = await portal(0);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    try {
      for (const path of [`/embed/${dataset}`, '/', '/explorer']) {
        messages.length = 0;
        const html = `<iframe src="${site}${path}"></iframe>`;
        // Another address before the fragment, so that the page is loaded again.
        await page.goto(`${refused.origin}${path}#${encodeURIComponent(html)}`);
        await expect.poll(() => messages.join('\n'), path).toMatch(/frame-ancestors|X-Frame-Options/);
        await expect(page.frameLocator('iframe').locator('#root')).toHaveCount(0);
      }
    } finally {
      refused.server.close();
    }
  });
});

for (const { width, height, colorScheme } of [
  { width: 960, height: 640, colorScheme: 'light' },
  { width: 480, height: 360, colorScheme: 'dark' },
  { width: 390, height: 600, colorScheme: 'light' },
] as const) {
  test(`an embedded view is accessible in ${width} × ${height} pixels, ${colorScheme}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.goto(`/embed/${other}?column=leiden`);
    await expect(page.getByRole('application', { name: /^Map: / })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`/embed/${other}?gene=CD3D&theme=dark`);
    await expect(page.getByRole('application', { name: /^Map: CD3D/ })).toBeVisible();
    await expect(page.locator('html')).toHaveClass(/dark/);
    await expectAccessible(page);
  });
}

test.describe('an address of no public dataset', () => {
  test.use({ expectedErrors: /404/ });

  test('says that the view is not available', async ({ page }) => {
    for (const id of ['none.h5ad', 'custom:00000000-0000-4000-8000-000000000000']) {
      await page.goto(`/embed/${id}`);
      await expect(page.getByRole('heading', { name: 'This view is not available' })).toBeVisible();
    }
    await expectAccessible(page);
  });
});

test('the explorer gives the frame of its first map, in a size and theme', async ({ page }) => {
  await explore(page);
  await page.getByRole('button', { name: 'Embed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Embed this view' });
  await expectAccessible(page);
  await dialog.getByRole('combobox', { name: 'Size' }).click();
  await page.getByRole('option', { name: /^Small/ }).click();
  await dialog.getByRole('combobox', { name: 'Theme' }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await expect(dialog.getByRole('textbox', { name: 'HTML of the frame' })).toHaveValue(
    `<iframe src="${site}/embed/${dataset}?theme=dark" title="Triple-negative breast tumors" width="480" height="360" loading="lazy" style="border: 0; max-width: 100%"></iframe>`,
  );
  await expect(dialog.getByRole('link', { name: 'Preview' })).toHaveAttribute(
    'href',
    `/embed/${dataset}?theme=dark`,
  );
});
