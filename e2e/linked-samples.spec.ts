import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { fileRow, fileOf, openUploads, upload, cellCount, countsTable } from './support/upload-page.ts';

const origin = process.env['CELLFOLIO_E2E_LINK_ORIGIN'] ?? '';
let server: Server;

test.beforeAll(async () => {
  const table = countsTable(1);
  server = createServer(({ url }, response) => {
    if (url !== '/files/left.csv.gz') response.writeHead(404).end();
    else response.writeHead(200, { etag: '"1"', 'content-length': table.length }).end(table);
  });
  await new Promise<void>((done) => void server.listen(Number(new URL(origin).port), '127.0.0.1', done));
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function dragsThreshold(page: Page, settings: Locator): Promise<void> {
  const plot = settings.getByRole('slider', { name: 'Total counts of L' });
  const places = async () =>
    JSON.stringify(
      await Promise.all((await settings.getByRole('slider').all()).map((one) => one.boundingBox())),
    );
  const boxOf = async (one: Locator) => (await one.boundingBox())!;
  const lineAt = async () => {
    const { x, width } = await boxOf(plot.locator('line').last());
    return x + width / 2;
  };
  const summary = settings.getByRole('status').filter({ hasText: 'would be removed' });
  const before = { places: await places(), text: await summary.innerText() };
  const { x, y, width, height } = await boxOf(plot);
  await page.mouse.move(await lineAt(), y + height / 2);
  await page.mouse.down();
  const summaries = new Set<string>();
  for (const to of [0.25, 0.75, 0.6]) {
    await page.mouse.move(x + to * width, y + height / 2, { steps: 5 });
    expect(Math.abs((await lineAt()) - (x + to * width))).toBeLessThan(2);
    expect(await places()).toBe(before.places);
    summaries.add(await summary.innerText());
  }
  expect(summaries.size).toBe(3);
  await expect(summary).toContainText(/about/i);
  await page.mouse.up();
  // Counted by the server without being asked by hand.
  await expect(summary).not.toContainText(/about/i);
  expect(await places()).toBe(before.places);
  await expectAccessible(page, settings);
  await settings.getByRole('button', { name: 'Undo changes' }).click();
  await expect(summary).toHaveText(before.text);
}

test('a sample from a link and one of one’s own become one dataset', async ({ page }) => {
  const mark = randomBytes(3).toString('hex');
  await openUploads(page);
  await page.getByLabel('Paste a link').fill(`${origin}/files/left.csv.gz`);
  await page.getByRole('button', { name: 'Show contents' }).click();
  const linkPreview = page.getByRole('region', { name: 'Contents of the link' });
  await expect(linkPreview.getByText('left.csv.gz,', { exact: false })).toBeVisible();
  await expectAccessible(page, linkPreview);
  await linkPreview.getByLabel('File name').fill(`left ${mark}`);
  await linkPreview.getByRole('button', { name: 'Download to your files' }).click();
  const right = fileOf(`right ${mark}.csv.gz`, countsTable(2));
  await upload(page, right);

  for (const side of ['left', 'right'])
    await page.getByRole('checkbox', { name: `Select ${side} ${mark}` }).check();
  await page.getByRole('button', { name: 'Combine 2 samples' }).click();
  const dialog = page.getByRole('dialog', { name: 'Combine samples into one dataset' });
  await dialog
    .getByLabel('Table of samples')
    .setInputFiles([
      fileOf('samples.csv', `sample,file,condition\nL,left.csv.gz,well\nR,${right.name},ill\n`),
    ]);
  await expect(dialog.getByText('2 of 2 samples were filled in with condition.')).toBeVisible();
  const conditions = dialog.getByRole('textbox', { name: /^condition of/ });
  await expect(conditions.first()).toHaveValue(/^(well|ill)$/);
  // From cell to cell by keyboard.
  await conditions.first().press('Enter');
  await expect(conditions.nth(1)).toBeFocused();
  await expect(dialog.getByText('320 cells in all.', { exact: false })).toBeHidden();
  await dialog.getByLabel('Name of the new file').fill(`both ${mark}`);
  await expect(dialog.getByText('320 cells in all.', { exact: false })).toBeVisible();
  await expectAccessible(page, dialog);
  await dialog.getByRole('button', { name: 'Combine 2 samples' }).click();

  const row = fileRow(page, `both ${mark}.h5ad`);
  await row.getByRole('button', { name: /^Review quality control/ }).click();
  const settings = page.getByRole('dialog', { name: 'Review quality control' });
  await expect(settings.getByRole('rowheader', { name: 'L', exact: true })).toBeVisible();
  await dragsThreshold(page, settings);
  await expect(settings.getByLabel('Integration')).toHaveText('Harmony');
  await settings.getByLabel('Doublet threshold').fill('0.4');
  await settings.getByRole('button', { name: 'Build', exact: true }).click();
  await expect(row.getByRole('link', { name: /^Explore/ })).toBeVisible();
  await row.getByRole('button', { name: /^Details/ }).click();
  const steps = row.getByRole('table', { name: 'Cells of each sample after each step' });
  await expect(steps.getByRole('row')).toHaveCount(4);
  await expect(steps.getByRole('row').nth(1)).toContainText(`L${cellCount}`);
  await expect(steps.getByRole('row').nth(3)).toContainText(`All samples${2 * cellCount}`);
  const scores = row.getByRole('table', { name: 'Doublet scores of each sample' });
  await expect(scores.getByRole('row').nth(1)).toContainText('0.4set by hand');
  for (const when of ['before', 'after'])
    await expect(
      row.getByRole('img', { name: `UMAP of all cells by sample, ${when} integration` }),
    ).toBeVisible();
  await expectAccessible(page, row);
});
