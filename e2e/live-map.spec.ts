import type { Page } from '@playwright/test';
import { parquetReadObjects } from 'hyparquet';
import { becomeNewUser } from './support/accounts.ts';
import { explore, explorerAddress, panel, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, linesOf, test, painted, placeOf } from './support/test.ts';

const maps = (page: Page) => viewer(page).getByRole('application');
const selection = (page: Page) => page.getByRole('region', { name: 'Selection' });

async function lasso(page: Page, corners: readonly (readonly [number, number])[]): Promise<void> {
  await page.getByRole('button', { name: /^Select with a lasso/ }).click();
  const { x, y, width, height } = await placeOf(maps(page).first());
  const [first, ...others] = corners.map(([right, down]) => [x + right * width, y + down * height] as const);
  await page.mouse.move(...first!);
  await page.mouse.down();
  for (const corner of others) await page.mouse.move(...corner, { steps: 4 });
  await page.mouse.up();
}

const inked = (page: Page, map = 0) =>
  maps(page)
    .nth(map)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let pixels = 0;
      for (let at = 0; at < data.length; at += 4)
        if (data[at]! + data[at + 1]! + data[at + 2]! < 720) pixels++;
      return pixels;
    });

function zoomOf(page: Page): number {
  const shown = JSON.parse(new URL(page.url()).searchParams.get('map') ?? '{}') as { camera?: number[] };
  return shown.camera?.[2] ?? 1;
}

test('cells are coloured by treatment, lassoed, saved as a subset, exported as Parquet, all of them and no others, and compared with the rest of the cells that were active before; the map is downloaded', async ({
  page,
}) => {
  await explore(page);
  await expect(maps(page)).toHaveCount(1);
  await expect.poll(() => inked(page)).toBeGreaterThan(2000);
  await panel(page, 'Export Cells').click();
  const exporting = page.getByRole('button', { name: 'Export Cells' }).last();
  const table = await downloaded(page, () => exporting.click());
  const [head, ...lines] = linesOf(table.bytes).map((line) => line.split(','));
  const [x, y] = ['X_umap_1', 'X_umap_2'].map((name) => head!.indexOf(name));
  const all = lines.map((line) => ({ barcode: line[0]!, x: Number(line[x!]), y: Number(line[y!]) }));

  await viewer(page).getByRole('button', { name: 'Color by: Cell Type' }).click();
  await page.getByRole('searchbox', { name: /Color by/ }).fill('treat');
  await page.getByRole('button', { name: 'Treatment 2 categories' }).click();
  await expect(viewer(page).getByRole('heading', { name: /Treatment/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Categories' }).getByRole('listitem')).toHaveCount(2);

  await lasso(page, [
    [0.52, 0.6],
    [0.98, 0.6],
    [0.98, 0.99],
    [0.52, 0.99],
  ]);
  const count = selection(page).getByRole('status');
  await expect(count).toHaveText(/^1,\d{3} cells \(\d\d\.\d %\)$/);
  await expect(selection(page).getByRole('button', { name: /T cell [\d.]+ %/ })).toBeVisible();
  await expectAccessible(page, selection(page));
  const cells = Number((await count.textContent())!.split(' ')[0]!.replace(',', ''));
  await selection(page).getByRole('button', { name: 'Save as subset' }).click();
  await page.getByRole('textbox', { name: 'Name of the subset' }).fill('Below <b>here</b>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // Saving leaves the active cells as they are.
  await expect(page.getByText('Below <b>here</b>. The active cells have not changed.')).toBeVisible();
  await expect(page.getByText('5,198 cells active', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Make active' }).click();
  await expect(page.getByText(`${cells.toLocaleString('en')} of 5,198 cells active`)).toBeVisible();

  await page.getByRole('radio', { name: /Parquet/ }).click();
  const file = await downloaded(page, () => exporting.click());
  expect(file.name).toMatch(/-Below.*-cells\.parquet$/);
  const { buffer, byteOffset, byteLength } = file.bytes;
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const rows = (await parquetReadObjects({ file: bytes })) as { barcode: string }[];
  expect(rows.length).toBe(cells);
  // A rectangle on the map is one in its coordinates: what lies in it is what was selected.
  const exported = new Set(rows.map(({ barcode }) => barcode));
  const own = all.filter(({ barcode }) => exported.has(barcode));
  expect(own.length).toBe(cells);
  const [xs, ys] = [own.map((cell) => cell.x), own.map((cell) => cell.y)];
  const inside = all.filter(
    (cell) =>
      cell.x >= Math.min(...xs) &&
      cell.x <= Math.max(...xs) &&
      cell.y >= Math.min(...ys) &&
      cell.y <= Math.max(...ys),
  );
  expect(inside.map(({ barcode }) => barcode)).toEqual(own.map(({ barcode }) => barcode));

  // The comparison is with the rest of the cells that were active when these were selected: of all of them again.
  await selection(page).getByRole('button', { name: 'Compare with the rest' }).click();
  await expect(page.getByText('5,198 cells active', { exact: true })).toBeVisible();

  await viewer(page)
    .getByRole('button', { name: /^Download Treatment/ })
    .click();
  const figure = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
  expect(figure.name).toMatch(/Treatment_UMAP\.svg$/);
  expect(figure.bytes.toString()).toContain('Untreated');
});

test('four maps move and select as one, and the address shows them again', async ({ page }) => {
  await becomeNewUser(page);
  await page.goto(
    `${explorerAddress}&view=category-umap&view=gene-umap:CD3D&view=gene-umap:EPCAM&view=gene-umap:CD68`,
  );
  await expect(maps(page)).toHaveCount(4);
  await expect.poll(() => inked(page, 3)).toBeGreaterThan(50);
  const before = await Promise.all([0, 1, 2, 3].map((map) => inked(page, map)));

  const frame = await placeOf(maps(page).nth(1));
  await page.mouse.move(frame.x + frame.width * 0.7, frame.y + frame.height * 0.8);
  await page.mouse.wheel(0, -600);
  await expect.poll(() => inked(page, 0)).not.toBe(before[0]);
  await expect.poll(() => inked(page, 2)).not.toBe(before[2]);
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(1);

  // Every map says what it knows of the one cell under the pointer.
  await expect(viewer(page).getByText(/^CD3D \d/)).toBeVisible();
  await expect(viewer(page).getByText(/^EPCAM \d/)).toBeVisible();

  await lasso(page, [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.8, 0.8],
    [0.2, 0.8],
  ]);
  const count = selection(page).getByRole('status');
  await expect(count).toBeVisible();
  const selected = await count.textContent();

  // By keyboard: a category more, and one step back.
  await page.getByRole('checkbox', { name: 'Select the cells of Mast' }).focus();
  await page.keyboard.press('Space');
  await expect(count).not.toHaveText(selected!);
  await maps(page).first().focus();
  await page.keyboard.press('Control+z');
  await expect(count).toHaveText(selected!);
  await page.getByRole('slider', { name: 'Upper end of the colors' }).first().focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press('PageDown');
  const categories = page.getByRole('list', { name: 'Categories' });
  await categories.getByRole('button', { name: /^Fibroblast/ }).click({ modifiers: ['Alt'] });
  // A double click zooms, and leaves hidden what is hidden.
  await categories.getByRole('button', { name: /^T cell/ }).dblclick();
  await expect(categories.getByRole('button', { name: /, hidden$/ })).toHaveCount(1);
  await maps(page).first().focus();
  await page.keyboard.press('0');
  await page.keyboard.press('+');
  // The address follows when the maps have rested for a while: until then it has the camera of the wheel or of T cells.
  await expect.poll(() => zoomOf(page)).toBe(1.5);
  await expect(page).toHaveURL(/Fibroblast/);
  await painted(page);
  const inkBefore = await Promise.all([0, 1, 2, 3].map((map) => inked(page, map)));

  await page.reload();
  await expect(maps(page)).toHaveCount(4);
  await expect(count).toHaveText(selected!);
  await expect(categories.getByRole('button', { name: /^Fibroblast.*hidden/ })).toBeVisible();
  await page.mouse.move(0, 0);
  await expect.poll(() => Promise.all([0, 1, 2, 3].map((map) => inked(page, map)))).toEqual(inkBefore);
});

test.describe('a page with one map', () => {
  test.use({ hasTouch: true });

  test('brings exact coordinates of cells that share a step of the grid, follows fingers, and is split into small maps that share camera and colours and are downloaded in one file', async ({
    page,
  }) => {
    await explore(page);
    await expect.poll(() => inked(page)).toBeGreaterThan(2000);
    const squares: string[] = [];
    page.on('response', (response) => {
      const square = new URL(response.url()).searchParams.get('square');
      if (square !== null) squares.push(`${square} ${response.status()}`);
    });
    const { x, y, width, height } = await placeOf(maps(page));
    await page.mouse.move(x + 0.7 * width, y + 0.8 * height);
    // 300 pixels of the wheel double the size: of 25 times a pixel still holds steps, of 400 a step holds pixels.
    for (let turn = 0; turn < 7; turn++) await page.mouse.wheel(0, -200);
    await expect(page).toHaveURL(/camera/);
    expect(squares).toEqual([]);
    for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -200);
    await expect.poll(() => squares.at(-1)).toMatch(/^\d+,\d+,\d+ 200$/);
    const count = squares.length;
    await page.mouse.wheel(0, -10);
    await maps(page).press('0');
    await expect.poll(() => inked(page)).toBeGreaterThan(2000);
    expect(squares.length - count).toBeLessThanOrEqual(1);
    await expect(page).not.toHaveURL(/camera/);

    const at = (right: number, down: number) => ({ x: x + right * width, y: y + down * height });
    const fingers = await page.context().newCDPSession(page);
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
    const before = await inked(page);
    await touch('touchStart', at(0.5, 0.5));
    await touch('touchMove', at(0.7, 0.7));
    await touch('touchMove', at(0.95, 0.95));
    await touch('touchEnd');
    await expect.poll(() => inked(page)).toBeLessThan(before);
    await expect(page).toHaveURL(/camera/);
    expect(zoomOf(page)).toBe(1);
    await touch('touchStart', at(0.4, 0.5), at(0.6, 0.5));
    await touch('touchMove', at(0.3, 0.5), at(0.7, 0.5));
    await touch('touchMove', at(0.2, 0.5), at(0.8, 0.5));
    await touch('touchEnd');
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(2.5);
    expect(zoomOf(page)).toBeLessThan(3.5);
    await maps(page).press('0');

    await page.getByRole('button', { name: 'Split map' }).click();
    await expect(page.getByRole('button', { name: /^Leiden 16 of at most 12/ })).toBeDisabled();
    await page.getByRole('button', { name: 'Treatment 2 categories' }).click();
    await expect(maps(page)).toHaveCount(2);
    await expect(viewer(page).getByText('2,715 cells')).toBeVisible();
    await expect.poll(() => inked(page, 1)).toBeGreaterThan(1000);
    const whole = await inked(page, 1);
    await maps(page).first().focus();
    await page.keyboard.press('+');
    await expect.poll(() => inked(page, 1)).not.toBe(whole);
    await viewer(page)
      .getByRole('button', { name: /^Download / })
      .click();
    const file = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
    const svg = file.bytes.toString();
    expect(svg).toContain('>Untreated<');
    expect(svg).toContain('split by Treatment');
  });
});

test.describe('what cannot be had', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test('leaves the figure an image that can be enlarged and reopened; a notice reports a column missing from the dataset', async ({
    page,
  }) => {
    await becomeNewUser(page);
    await page.route(/\/columns\/embedding\//, (route) => route.abort());
    await page.goto(explorerAddress);
    await expect(viewer(page).getByRole('img', { name: /^Cell types/ })).toBeVisible();
    await expect(maps(page)).toHaveCount(0);
    await viewer(page)
      .getByRole('button', { name: /^Open Cell types.* large/ })
      .click();
    await expect(page.getByRole('dialog', { name: 'Cell types' })).toBeVisible();

    await page.unrouteAll();
    await page.goto(`${explorerAddress}&map=${encodeURIComponent('{"cards":[{"column":"<i>gone</i>"}]}')}`);
    await expect(viewer(page).getByRole('alert')).toContainText('cannot be colored by “<i>gone</i>”');
    await viewer(page).getByRole('button', { name: 'Color as in the image' }).click();
    await expect.poll(() => inked(page)).toBeGreaterThan(2000);
  });
});
