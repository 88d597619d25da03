import type { Locator, Page, Request } from '@playwright/test';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test, atRest, placeOf } from './support/test.ts';
import { library, openExplorer, pickUpLast, viewer } from './support/explorer.ts';
import { becomeNewUser, signInAs } from './support/accounts.ts';
const viewerTitles = (page: Page) =>
  viewer(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
    .evaluateAll((cards) => cards.map((card) => card.querySelector('h3 span')?.textContent));
const libraryTitles = (page: Page) =>
  library(page)
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((card) => card.querySelector('p')?.textContent));

test.use({ hasTouch: true });

async function draw(page: Page, genes: readonly string[], { violins = false } = {}): Promise<void> {
  const box = page.getByRole('combobox', { name: /genes/i }).first();
  await box.fill(genes.join(', '));
  await box.press('Enter');
  if (violins) await page.getByLabel('Generate Expression by Cell Type Violin Plot').first().check();
  const images = Math.min(30, genes.length * (violins ? 2 : 1));
  let saved = 0;
  const allSaved = page.waitForResponse((response) => {
    const isSaved = response.request().method() === 'POST' && response.url().includes('/generated_images');
    return isSaved && ++saved === images;
  });
  await page.getByRole('button', { name: `Visualize Selected Genes (${genes.length})` }).click();
  await allSaved;
}

test('images are kept per user, newest first, the same on a second device, where beyond thirty the oldest go; a violin in a card is an SVG of its size, its type large enough to read', async ({
  page,
  browser,
}) => {
  const user = await becomeNewUser(page);
  await openExplorer(page);
  const saving = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/generated_images'),
  );
  await draw(page, ['CD79A', 'CD3D', 'EPCAM', 'CST3', 'VWF']);
  await expect.poll(() => viewerTitles(page)).toEqual(['CD79A', 'CD3D', 'EPCAM', 'CST3']);
  await expect.poll(() => libraryTitles(page)).toEqual(['Cell types', 'CD79A', 'CD3D', 'EPCAM']);
  await expect(library(page).getByText('5 images and the default UMAP')).toBeVisible();
  await expectAccessible(page, library(page));
  await library(page).getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => libraryTitles(page)).toEqual(['CST3', 'VWF']);
  await library(page)
    .getByRole('button', { name: /^Delete CST3/ })
    .click();
  await expect(page.getByText('Image Deleted')).toBeVisible();
  await expect.poll(() => viewerTitles(page)).toEqual(['CD79A', 'CD3D', 'EPCAM']);
  await saveOlderCopies(await saving, 25);

  const second = await browser.newContext({ viewport: page.viewportSize() });
  const device = await second.newPage();
  await signInAs(device, user);
  await openExplorer(device);
  await expect(library(device).getByText('29 images and the default UMAP')).toBeVisible();
  await expect.poll(() => libraryTitles(device)).toEqual(['Cell types', 'CD79A', 'CD3D', 'EPCAM']);
  await expect.poll(() => viewerTitles(device)).toEqual(['CD79A', 'CD3D', 'EPCAM', 'VWF']);

  const violinRender = new Promise<{ format: string; view: { width: number; height: number }; svg: string }>(
    (done) => {
      // Chromium keeps no body of what a page reads as a Blob, so it is read on its way.
      void device.route('**/api/render-figure', async (route) => {
        const response = await route.fetch();
        const { source, ...rest } = route.request().postDataJSON();
        if (source.content.kind === 'gene-violin') done({ ...rest, svg: await response.text() });
        await route.fulfill({ response });
      });
    },
  );
  await draw(device, ['CD68'], { violins: true });
  await expect(library(device).getByText('30 images and the default UMAP')).toBeVisible();
  await expect(library(device).getByText('Page 1 of 8')).toBeVisible();
  const { authorization = '', apikey = '' } = await (await saving).allHeaders();
  const oldestFirst = new URL('/rest/v1/generated_images?select=title&order=created_at', page.url());
  const rows = await fetch(oldestFirst, { headers: { authorization, apikey } });
  const titles = ((await rows.json()) as { title: string }[]).map(({ title }) => title);
  expect([titles[0], titles.length]).toEqual(['Copy 24', 30]);

  const { format, view, svg } = await violinRender;
  expect(format).toBe('svg');
  const { width, height } = view;
  const [, units = NaN] = /viewBox="0 0 ([\d.]+)/.exec(svg)!.map(Number);
  const sizes = Array.from(
    svg.matchAll(/font-size="([\d.]+)"/g),
    ([, size]) => (Number(size) * width) / units,
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.min(...sizes)).toBeGreaterThan(10.99);

  const card = viewer(device).getByRole('listitem').filter({ hasText: 'Expression by cell type' });
  const picture = card.locator('img[alt=""]');
  await expect(picture).toBeVisible();
  const shown = () =>
    picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(shown).toEqual([width, height]);
  // The card's place is filled to the steps that sizes are rounded to.
  const place = await placeOf(card.getByRole('button', { name: /^Open .* large$/ }));
  expect(place.width - width).toBeLessThan(16);
  expect(place.height - height).toBeLessThan(16);
  await second.close();
});

async function saveOlderCopies(saved: Request, count: number): Promise<void> {
  const { authorization = '', apikey = '' } = await saved.allHeaders();
  const image = saved.postDataJSON() as { image_id: string; created_at: string };
  for (let copy = 1; copy <= count; copy++) {
    const { status } = await fetch(saved.url(), {
      method: 'POST',
      headers: { authorization, apikey, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...image,
        image_id: crypto.randomUUID(),
        title: `Copy ${copy}`,
        created_at: new Date(Date.parse(image.created_at) - 1000 * copy).toISOString(),
      }),
    });
    expect(status).toBe(201);
  }
}

test('the cards of the viewer are reordered by mouse, by keyboard and by finger, and one is opened large, zoomed and saved for print and editing; at 200 % zoom each says whose cells it shows, and how many, beside a map that can be read', async ({
  page,
}) => {
  await becomeNewUser(page);
  // The window stays as wide where the page is enlarged.
  await page.addInitScript(() => Object.defineProperty(globalThis, 'outerWidth', { get: () => 1440 }));
  await openExplorer(page);
  await draw(page, ['CD79A', 'CD3D', 'EPCAM']);
  await expect.poll(() => viewerTitles(page)).toEqual(['CD79A', 'CD3D', 'EPCAM', 'Cell types']);

  const card = (title: string): Locator =>
    viewer(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}`) }) });
  // A card is dragged by its header: its map is dragged by itself.
  const header = async (of: Locator) => {
    const box = await placeOf(of);
    return { x: box.x + box.width / 2, y: box.y + 20 };
  };
  const from = await header(card('CD79A'));
  const to = await header(card('EPCAM'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  // A busy page takes note of where the card is after it was moved.
  await expect(page.getByText(/CD79A.*picked up, over place 3 of 4/)).toBeAttached();
  await page.mouse.up();
  await expect.poll(() => viewerTitles(page)).toEqual(['CD3D', 'EPCAM', 'CD79A', 'Cell types']);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const handle = page.getByRole('button', { name: /^Move Cell types/ });
  await handle.focus();
  await pickUpLast(page, 4);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(/picked up, over place 2 of 4/)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText(/was put down at place 2 of 4/)).toBeAttached();
  await expect.poll(() => viewerTitles(page)).toEqual(['CD3D', 'Cell types', 'EPCAM', 'CD79A']);
  await expect(handle).toBeFocused();

  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
  const start = await header(card('CD3D'));
  const end = await header(card('Cell types'));
  await touch('touchStart', start);
  // A finger lifts a card after it has rested on it.
  await expect(async () => {
    await touch('touchMove', { x: start.x + 2, y: start.y });
    await expect(page.getByText(/CD3D.*picked up/)).toBeAttached({ timeout: 100 });
  }).toPass();
  await touch('touchMove', { x: (start.x + end.x) / 2, y: end.y });
  await touch('touchMove', end);
  await expect(page.getByText(/CD3D.*picked up, over place 2 of 4/)).toBeAttached();
  await touch('touchEnd');
  await expect.poll(() => viewerTitles(page)).toEqual(['Cell types', 'CD3D', 'EPCAM', 'CD79A']);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('switch', { name: 'Same scale' }).click();
  const scale = page.getByText(/^0 to [\d.]+, log-normalized$/);
  await expect(scale).toBeVisible();
  const range = (await scale.innerText()).split(',')[0]!;

  await page.getByRole('button', { name: /^Open CD3D.* large/ }).click();
  const dialog = page.getByRole('dialog', { name: 'CD3D' });
  await expect(dialog.getByRole('application')).toBeFocused();
  const cells = () => dialog.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await page.mouse.move(0, 0);
  // The reading takes its place below the map when it comes.
  await expect(dialog.getByRole('region', { name: 'Description' })).toBeVisible();
  const whole = await atRest(cells);
  await page.keyboard.press('+');
  await expect.poll(cells).not.toBe(whole);
  await page.keyboard.press('0');
  await expect.poll(cells).toBe(whole);
  await dialog.getByRole('application').hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(cells).not.toBe(whole);
  await expectAccessible(page, dialog);

  const save = (format: string) =>
    downloaded(page, async () => {
      await dialog.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('menuitem', { name: format }).click();
    });
  const svg = await save('SVG');
  expect(svg.name).toBe('Triple-negative_breast_tumors_CD3D_UMAP.svg');
  expect(svg.bytes.toString()).toMatch(/^<svg[^]*CD3D/);
  expect(svg.bytes.toString()).toContain(`scale set to ${range}`);
  const print = await save('PNG, 300 dpi');
  expect(print.name).toBe('Triple-negative_breast_tumors_CD3D_UMAP_300dpi.png');
  expect(print.bytes.readUInt32BE(16), 'pixels across').toBe(2160);
  await expectFocusFromMenu(page, dialog.getByRole('button', { name: 'Download' }));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Open CD3D.* large/ })).toBeFocused();
  await expectFocusFromMenu(page, viewer(page).getByRole('button', { name: /^Download CD3D/ }));

  for (const width of [720, 400]) {
    await page.setViewportSize({ width, height: 450 });
    const cells = viewer(page).getByText(/^ · all [\d,]+ cells$/);
    await expect(cells).toHaveCount(4);
    const shown = await cells.evaluateAll((texts) =>
      texts.map((text) => {
        text.scrollIntoView({ block: 'center' });
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const at = (x: number) => document.elementFromPoint(x, (top + bottom) / 2);
        return [text.scrollWidth <= text.clientWidth, at(left + 1) === text, at(right - 1) === text];
      }),
    );
    expect(shown, `${width} pixels`).toEqual(Array.from({ length: 4 }, () => [true, true, true]));
    const widths = await viewer(page)
      .getByRole('application')
      .evaluateAll((maps) => maps.map((map) => map.clientWidth));
    expect(Math.min(...widths), 'of the maps').toBeGreaterThanOrEqual(200);
  }
});

/** A dialog that a menu opens gives the focus back to the button of the menu, which is closed by then. */
async function expectFocusFromMenu(page: Page, button: Locator): Promise<void> {
  const choices: readonly (() => Promise<void>)[] = [
    () => page.getByRole('menuitem', { name: 'Title and width…' }).click(),
    () => page.keyboard.press('Enter'),
  ];
  for (const choose of choices) {
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Title and width…' }).focus();
    await choose();
    const dialog = page.getByRole('dialog', { name: 'Download figure' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  }
}
