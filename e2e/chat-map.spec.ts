import { fileURLToPath } from 'node:url';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FrameLocator, Page } from '@playwright/test';
import { build } from 'vite';
import { axeScript, expectAccessible } from './support/page-checks.ts';
import { type DemoAccount, expect, test } from './support/test.ts';

// The page that show_map opens in a chat, in a host of the tests with the bridge of the official package.

let host = '';
let client: Client;
let dataset: { filename: string };
let html = '';

test.beforeAll(async ({ baseURL }) => {
  const entry = fileURLToPath(new URL('./support/chat-host.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'host' } },
  });
  const [{ output }] = [built].flat() as unknown as [{ output: [{ code: string }] }];
  host = output[0].code;
  const { demoDataset } = (await (await fetch(`${baseURL}/config.json`)).json()) as { demoDataset: string };
  dataset = { filename: demoDataset };
  client = new Client({ name: 'tests', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`)));
  const { contents } = await client.readResource({ uri: 'ui://cellfolio/map.html' });
  html = (contents[0] as { text: string }).text;
});
test.afterAll(() => client.close());

interface Shown {
  args?: object;
  theme?: 'light' | 'dark';
  takesContext?: boolean;
  /** Changes an answer of a tool on its way to the page. */
  change?: (result: CallToolResult) => CallToolResult;
}

async function showMap(page: Page, shown: Shown = {}): Promise<FrameLocator> {
  const app = await openMap(page, shown);
  await expect(app.locator('#status')).toHaveText('');
  return app;
}

async function openMap(
  page: Page,
  { args = {}, theme = 'light', takesContext = true, change = (result) => result }: Shown,
): Promise<FrameLocator> {
  const call = async (params: object) =>
    change((await client.callTool(params as Parameters<Client['callTool']>[0])) as CallToolResult);
  const all = { dataset, ...args };
  const result = await call({ name: 'show_map', arguments: all });
  await page.goto('about:blank');
  await page.exposeFunction('callTool', call);
  await page.setContent('<!doctype html><style>body { margin: 0 }</style><body></body>');
  await page.addScriptTag({ content: host });
  await page.evaluate(
    (opened) => (window as unknown as { openApp: (one: object) => Promise<void> }).openApp(opened),
    {
      html: html.replace('</head>', () => `<script>${axeScript}</script></head>`),
      args: all,
      result,
      context: { theme },
      takesContext,
    },
  );
  const app = page.frameLocator('iframe');
  return app;
}

/** Share of the pixels of the map that differ from its corner. */
async function inked(app: FrameLocator): Promise<number> {
  return app.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let at = 0; at < data.length; at += 4)
      drawn += data[at] !== data[0] || data[at + 1] !== data[1] || data[at + 2] !== data[2] ? 1 : 0;
    return drawn / (data.length / 4);
  });
}

const cornerOf = (app: FrameLocator) =>
  app
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => [
      ...canvas.getContext('2d')!.getImageData(0, 0, 1, 1).data.subarray(0, 3),
    ]);

const contextOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { modelContext?: { content: { text: string }[] } }).modelContext);

/** Drags around the middle of the map. */
async function encircle(page: Page, app: FrameLocator): Promise<void> {
  await app.getByRole('button', { name: 'Encircle' }).click();
  const box = (await app.locator('canvas').boundingBox())!;
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(0.2, 0.1));
  await page.mouse.down();
  for (const [x, y] of [
    [0.6, 0.1],
    [0.6, 0.9],
    [0.2, 0.9],
    [0.2, 0.1],
  ] as const)
    await page.mouse.move(...at(x, y), { steps: 4 });
  await page.mouse.up();
}

test('the map draws the cells with their groups, in the theme of the host', async ({ page }) => {
  const app = await showMap(page);
  await expect.poll(() => inked(app)).toBeGreaterThan(0.02);
  expect(await cornerOf(app)).toEqual([255, 255, 255]);
  await expect(app.getByRole('list', { name: 'Legend' }).getByRole('button').first()).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('light.png') });

  await page.evaluate(() => (window as unknown as { setTheme: (theme: string) => void }).setTheme('dark'));
  await expect.poll(() => cornerOf(app)).toEqual([23, 25, 30]);
  expect(await inked(app)).toBeGreaterThan(0.02);
  await page.screenshot({ path: test.info().outputPath('dark.png') });
  await expectAccessible(page, app.locator('html'));
});

test('a group is hidden by its legend, and its name stands at the pointer', async ({ page }) => {
  const app = await showMap(page);
  const before = await inked(app);
  const first = app.getByRole('list', { name: 'Legend' }).getByRole('button').first();
  await first.click();
  await expect(first).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => inked(app)).toBeLessThan(before);
  const names = await app.locator('#legend span').allTextContents();
  const box = (await app.locator('canvas').boundingBox())!;
  await expect(async () => {
    await page.mouse.move(box.x + box.width * Math.random(), box.y + box.height * Math.random());
    await expect(app.locator('#hover')).toBeVisible({ timeout: 100 });
  }).toPass();
  expect(names).toContain(await app.locator('#hover').textContent());
});

/** The official client with the token of a demo account. */
async function signedInClient(baseURL: string, { email, password }: DemoAccount): Promise<Client> {
  const { publishableKey } = (await (await fetch(`${baseURL}/config.json`)).json()) as {
    publishableKey: string;
  };
  const signedIn = await fetch(`${baseURL}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const signed = new Client({ name: 'tests', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await signed.connect(new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`), { requestInit }));
  return signed;
}

test('encircled cells reach the model with a filter that tools take', async ({ page, account, baseURL }) => {
  const app = await showMap(page);
  await encircle(page, app);
  await expect(app.locator('#selection')).toContainText('The assistant learns of them');
  await page.screenshot({ path: test.info().outputPath('encircled.png') });
  const { content } = (await contextOf(page))!;
  const [sentence, mark, json, end] = content[0]!.text.split('\n');
  expect(end).toBe(mark);
  expect(sentence).toContain('Pass `cells` and `dataset` to a tool');
  const note = JSON.parse(json!) as { encircled_points: number; cells: object; dataset: object };
  expect(note.encircled_points).toBeGreaterThan(0);
  await expect(app.locator('#selection')).toContainText(note.encircled_points.toLocaleString('en'));

  const signed = await signedInClient(baseURL!, account);
  const args = { dataset: note.dataset, cells: note.cells };
  const { structuredContent } = await signed.callTool({ name: 'show_map', arguments: args });
  expect(structuredContent).toMatchObject({ cells: { shown: note.encircled_points } });
  await signed.close();
});

test('the page says that a host takes no notes', async ({ page }) => {
  const app = await showMap(page, { takesContext: false });
  await encircle(page, app);
  await expect(app.locator('#selection')).toContainText('passes nothing on to the assistant');
});

test('a gene is drawn with a range, on a narrow host too', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 800 });
  const { genes } = (
    await client.callTool({
      name: 'find_genes',
      arguments: { dataset, names: ['CD3E', 'CD79A', 'LYZ'] },
    })
  ).structuredContent as { genes: { symbol: string }[] };
  const app = await showMap(page, { args: { color: { gene: genes[0]!.symbol } }, theme: 'dark' });
  await expect(app.getByRole('heading')).toContainText(genes[0]!.symbol);
  await expect.poll(() => inked(app)).toBeGreaterThan(0.02);
  await expect(app.locator('.ends')).toContainText('0');
  await page.screenshot({ path: test.info().outputPath('gene.png') });
});

test('names of strangers are shown as text', async ({ page }) => {
  const hostile = '<img src=x onerror="parent.attacked = true">';
  const app = await showMap(page, {
    change: (result) =>
      JSON.parse(
        JSON.stringify(result, (key, value: unknown) =>
          ['label', 'title', 'reading'].includes(key) ? hostile : value,
        ),
      ) as CallToolResult,
  });
  await expect(app.getByRole('heading')).toHaveText(hostile);
  await expect(app.locator('#legend span').first()).toHaveText(hostile);
  await expect(app.locator('img')).toHaveCount(0);
});

test('a refusal is shown in its own words', async ({ page }) => {
  const args = { dataset, color: { gene: 'NO SUCH' } };
  const refused = (await client.callTool({ name: 'map_points', arguments: args })) as CallToolResult;
  const isOfPoints = ({ structuredContent: data }: CallToolResult) => 'positions' in (data as object);
  const app = await openMap(page, { change: (result) => (isOfPoints(result) ? refused : result) });
  await expect(app.locator('#status')).toContainText('NO SUCH');
});
