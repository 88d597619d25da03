import { expect, type Page } from '@playwright/test';
import { addGenes, chooseAnalysis, chooseCondition, explore, viewer } from './support/explorer.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/page-checks.ts';
import { placeOf, test } from './support/test.ts';

const dockOf = (page: Page) => page.getByRole('region', { name: 'Results' });

async function findMarkers(page: Page) {
  const { run } = await chooseAnalysis(page, 'Marker Analysis');
  await run.click();
  const result = page.getByRole('tabpanel', { name: 'Marker Analysis' });
  await expect(result.getByText('Marker Analysis Complete')).toBeVisible();
  return result;
}

test('beside the map a result and the map follow each other: a row colors it, its selected cells lead to questions, and the result outlives a reload', async ({
  page,
}) => {
  await explore(page);
  const result = await findMarkers(page);
  const map = viewer(page).getByRole('application').first();
  const [mapPlace, dockPlace] = [await placeOf(map), await placeOf(dockOf(page))];
  expect(dockPlace.x).toBeGreaterThan(mapPlace.x + mapPlace.width);
  expect(mapPlace.width).toBeGreaterThan(250);

  await result.getByRole('tab', { name: /^Full Table/ }).click();
  const rows = result.getByRole('region', { name: /^Rows of/ });
  await rows.getByRole('row').nth(2).getByRole('cell').nth(3).click();
  await expect(rows.locator('tr[aria-current=true]')).toHaveCount(1);
  await expect(viewer(page).getByRole('button', { name: /^Color by: / })).not.toHaveText('Cell Type');
  await expect(page.getByRole('region', { name: 'Image Library' })).toContainText('No images yet');
  await rows.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const gene = await rows.locator('tr[aria-current=true]').getByRole('cell').nth(2).innerText();
  await expect(viewer(page).getByRole('button', { name: `Color by: ${gene}` })).toBeVisible();
  await expectAccessibleInBothThemes(page, dockOf(page));
  await page.getByRole('button', { name: 'Restore the map' }).click();
  await expect(viewer(page).getByRole('button', { name: 'Color by: Cell Type' })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select the cells of B cell' }).click();
  await expect(result.getByRole('button', { name: 'Compare selection with the rest' })).toBeVisible();
  await expect(result.getByRole('button', { name: 'Run for the 311 selected cells' })).toBeEnabled();

  // The separator answers to the keyboard, and its place is remembered.
  const before = (await placeOf(dockOf(page))).width;
  await page.getByRole('separator', { name: 'Size of the results' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await placeOf(dockOf(page))).width).toBeGreaterThan(before + 10);
  const width = (await placeOf(dockOf(page))).width;
  await page.reload();
  await expect(result.getByText(/recomputed now$/)).toBeVisible();
  expect(Math.abs((await placeOf(dockOf(page))).width - width)).toBeLessThan(3);
});

test('at 1440 × 900 a gene, a comparison and its volcano plot are on one screen: nothing scrolls the page, and Run is in sight when it is needed', async ({
  page,
}) => {
  const hiddenHeight = () =>
    page.evaluate(() => document.scrollingElement!.scrollHeight - globalThis.innerHeight);
  await explore(page);
  await addGenes(page, 'Search genes', 'CD3D');
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByRole('heading', { name: /^CD3D/ })).toBeVisible();
  expect(await hiddenHeight()).toBeLessThanOrEqual(0);

  const { run } = await chooseAnalysis(page, 'DEG Analysis');
  await expect(run).toBeInViewport({ ratio: 1 });
  await chooseCondition(page, /^Treatment: Neoadjuvant.* against Untreated/);
  await expect(run).toBeEnabled();
  await expect(run).toBeInViewport({ ratio: 1 });
  expect(await hiddenHeight()).toBeLessThanOrEqual(0);

  await run.click();
  const result = page.getByRole('tabpanel', { name: 'DEG Analysis' });
  await result.getByRole('tab', { name: 'Plots' }).click();
  await expect(result.getByRole('group', { name: /^Volcano Plot of/ })).toBeInViewport();
  await expect(viewer(page).getByRole('heading', { name: /^CD3D/ })).toBeInViewport({ ratio: 1 });
  await expect(run).toBeInViewport({ ratio: 1 });
  expect(await hiddenHeight()).toBeLessThanOrEqual(0);
});

test('at 1024 px results are below the map, fill the explorer on request without a dialog, and go beside it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await explore(page);
  const result = await findMarkers(page);
  const map = viewer(page).getByRole('application').first();
  expect((await placeOf(dockOf(page))).y).toBeGreaterThan((await placeOf(map)).y);
  expect((await placeOf(map)).height).toBeGreaterThan(80);
  await result.getByRole('tab', { name: /^Full Table/ }).click();
  await expectAccessible(page, dockOf(page));

  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(map).toBeHidden();
  expect((await placeOf(dockOf(page))).width).toBeGreaterThan(980);
  await page.keyboard.press('Escape');
  await expect(map).toBeVisible();

  await page.getByRole('button', { name: 'Results beside the map' }).click();
  await expect
    .poll(async () => (await placeOf(dockOf(page))).x)
    .toBeGreaterThan((await placeOf(map)).x + 100);
  expect((await placeOf(dockOf(page))).width).toBeGreaterThan(330);
  await expectAccessible(page, dockOf(page));
});
