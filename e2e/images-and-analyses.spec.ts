import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Download, Locator, Page } from '@playwright/test';
import { becomeNewUser, signInAs } from './support/new-user.ts';
import { type DemoAccount, expect, signIn, test } from './support/test.ts';

const dataset = 'demo-breast-triple-negative.h5ad';
const explorer = `/explorer?${new URLSearchParams({ disease: 'Breast Cancer', dataset })}`;

const viewer = (page: Page) => page.getByRole('region', { name: 'Main Viewer' });
const library = (page: Page) => page.getByRole('region', { name: 'Image Library' });
const viewerTitles = (page: Page) =>
  viewer(page)
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((card) => card.querySelector('h3 span')?.textContent));
const libraryTitles = (page: Page) =>
  library(page)
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((card) => card.querySelector('p')?.textContent));

// Each is a whole session; a machine that does much else must not fail them.
test.setTimeout(120_000);
test.use({ hasTouch: true });

async function openExplorer(page: Page): Promise<void> {
  await page.goto(explorer);
  await expect(library(page).getByText('Always here')).toBeVisible();
  await expect(library(page).getByText('Loading your images...')).toHaveCount(0);
}

/** Draws genes as a user does, and waits until all of them are safe on the server. */
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

async function noSeriousViolation(page: Page): Promise<void> {
  // Notices fade in; what fades has too little contrast for a moment.
  await page.addStyleTag({
    content: '*, ::before, ::after { animation: none !important; transition: none !important }',
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download]: [Download, void] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('M40 M41 images are kept per user: newest first, four a page, four in the viewer, the same after a reload and on a second device', async ({
  page,
  browser,
}) => {
  const user = await becomeNewUser(page);
  await openExplorer(page);
  await draw(page, ['CD79A', 'CD3D', 'EPCAM', 'CST3', 'VWF']);

  expect(await viewerTitles(page)).toEqual(['CD79A', 'CD3D', 'EPCAM', 'CST3']);
  expect(await libraryTitles(page)).toEqual(['Cell types', 'CD79A', 'CD3D', 'EPCAM']);
  await expect(library(page).getByText('6 images')).toBeVisible();
  await expect(library(page).getByText('Just now').first()).toBeVisible();
  await expect(library(page).getByRole('button', { name: 'Viewer Full' })).toBeDisabled();
  await expect(library(page).getByRole('button', { name: /^Delete Cell types/ })).toHaveCount(0);
  await noSeriousViolation(page);

  await library(page)
    .getByRole('button', { name: /^Remove CD3D/ })
    .click();
  await library(page)
    .getByRole('button', { name: /^Select Cell types/ })
    .click();
  expect(await viewerTitles(page)).toEqual(['CD79A', 'EPCAM', 'CST3', 'Cell types']);
  await library(page).getByRole('button', { name: 'Next page' }).click();
  expect(await libraryTitles(page)).toEqual(['CST3', 'VWF']);
  await library(page)
    .getByRole('button', { name: /^Delete CST3/ })
    .click();
  await expect(page.getByText('Image Deleted')).toBeVisible();
  expect(await viewerTitles(page)).toEqual(['CD79A', 'EPCAM', 'Cell types']);

  const { name, bytes } = await downloaded(page, () =>
    viewer(page)
      .getByRole('button', { name: /^Download EPCAM/ })
      .click(),
  );
  expect(name).toBe('demo-breast-triple-negative_EPCAM_UMAP.png');
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');

  await page.goto(explorer);
  await expect(library(page).getByText('5 images')).toBeVisible();
  expect(await libraryTitles(page)).toEqual(['Cell types', 'CD79A', 'CD3D', 'EPCAM']);
  await expect(viewer(page).getByRole('img', { name: /CD79A/ })).toBeVisible();

  const second = await browser.newContext();
  const device = await second.newPage();
  await signInAs(device, user);
  await device.goto(explorer);
  await expect(library(device).getByText('5 images')).toBeVisible();
  expect(await libraryTitles(device)).toEqual(['Cell types', 'CD79A', 'CD3D', 'EPCAM']);
  await expect(viewer(device).getByRole('img', { name: /VWF/ })).toBeVisible();
  await second.close();
});

test('M41 the cards of the viewer are reordered by mouse, by keyboard and by finger, and one is opened large, zoomed and saved for print and editing', async ({
  page,
}) => {
  await becomeNewUser(page);
  await openExplorer(page);
  await draw(page, ['CD79A', 'CD3D', 'EPCAM']);
  expect(await viewerTitles(page)).toEqual(['CD79A', 'CD3D', 'EPCAM', 'Cell types']);

  const card = (title: string): Locator =>
    viewer(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}`) }) });
  const middle = async (of: Locator) => {
    const box = await of.boundingBox();
    if (box === null) throw new Error('the card is not shown');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const from = await middle(card('CD79A'));
  const to = await middle(card('EPCAM'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => viewerTitles(page)).toEqual(['CD3D', 'EPCAM', 'CD79A', 'Cell types']);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const handle = page.getByRole('button', { name: /^Move Cell types/ });
  await handle.focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/picked up, over place 4 of 4/)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(/picked up, over place 2 of 4/)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText(/was put down at place 2 of 4/)).toBeAttached();
  await expect.poll(() => viewerTitles(page)).toEqual(['CD3D', 'Cell types', 'EPCAM', 'CD79A']);
  await expect(handle).toBeFocused();

  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
  const start = await middle(card('CD3D'));
  const end = await middle(card('Cell types'));
  await touch('touchStart', start);
  // A finger lifts a card after it has rested on it.
  await expect(async () => {
    await touch('touchMove', { x: start.x + 2, y: start.y });
    await expect(page.getByText(/CD3D.*picked up/)).toBeAttached({ timeout: 100 });
  }).toPass();
  await touch('touchMove', { x: (start.x + end.x) / 2, y: end.y });
  await touch('touchMove', end);
  await touch('touchEnd');
  await expect.poll(() => viewerTitles(page)).toEqual(['Cell types', 'CD3D', 'EPCAM', 'CD79A']);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('button', { name: /^Open CD3D.* large/ }).click();
  const dialog = page.getByRole('dialog', { name: 'CD3D' });
  await dialog.getByRole('application').focus();
  await page.keyboard.press('+');
  await expect(dialog.getByText('140%')).toBeVisible();
  await dialog.getByRole('application').hover();
  await page.mouse.wheel(0, -400);
  await expect(dialog.getByText('140%')).toHaveCount(0);
  await page.keyboard.press('0');
  await expect(dialog.getByText('100%')).toBeVisible();
  await noSeriousViolation(page);

  const save = (format: string) =>
    downloaded(page, async () => {
      await dialog.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('menuitem', { name: format }).click();
    });
  const svg = await save('SVG');
  expect(svg.name).toBe('demo-breast-triple-negative_CD3D_UMAP.svg');
  expect(svg.bytes.toString()).toMatch(/^<svg[^]*CD3D/);
  const print = await save('PNG, 300 dpi');
  expect(print.name).toBe('demo-breast-triple-negative_CD3D_UMAP_300dpi.png');
  expect(print.bytes.readUInt32BE(16), 'pixels across').toBe(2160);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Open CD3D.* large/ })).toBeFocused();
});

test('M40 at the limit of thirty the oldest go first', async ({ page }) => {
  await becomeNewUser(page);
  await openExplorer(page);
  await draw(page, ['CD79A']);
  const genes = 'CD3D,CD3E,EPCAM,CST3,VWF,LYZ,NKG7,GNLY,MS4A1,CD8A,PECAM1,COL1A1,DCN,KIT,CD68'.split(',');
  await page.getByRole('button', { name: 'Remove CD79A', exact: true }).click();
  await draw(page, genes, { violins: true });
  await expect(library(page).getByText('31 images')).toBeVisible();
  await expect(library(page).getByText('Page 1 of 8')).toBeVisible();
  await page.goto(explorer);
  await expect(library(page).getByText('31 images')).toBeVisible();
  for (let turn = 0; turn < 7; turn++) {
    await expect(library(page).getByText('CD79A', { exact: true })).toHaveCount(0);
    await library(page).getByRole('button', { name: 'Next page' }).click();
  }
  expect((await libraryTitles(page)).at(-1)).toBe('CD68');
});

test('M37 M38 M39 a user finds markers, reads and saves the table and the dot plot, and tests a group of them for enrichment', async ({
  page,
}) => {
  await becomeNewUser(page);
  await openExplorer(page);
  await page.getByRole('button', { name: 'Run Analysis', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Analysis' });
  const choose = async (field: string, option: string | RegExp) => {
    await panel.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const run = panel.locator('form').getByRole('button', { name: 'Run Analysis' });

  await panel.getByRole('combobox', { name: 'Analysis Type' }).click();
  await expect(page.getByRole('option')).toHaveText([
    'DEG Analysis',
    'Gene Set Enrichment Analysis',
    'Marker Analysis',
    'Gradient Analysis',
    'Ligand-Receptor Analysis',
    'Top/Bottom Decile Expression Profiling',
    'Trajectory Analysis',
  ]);
  await page.getByRole('option', { name: 'Trajectory Analysis' }).click();
  await run.click();
  await expect(page.getByText('Analysis Started')).toBeVisible();

  await choose('Analysis Type', 'Marker Analysis');
  await expect(run).toBeDisabled();
  await expect(panel.getByLabel('Number of Genes')).toHaveValue('10');
  await expect(panel.getByLabel('Adjusted P-Value')).toHaveValue('0.05');
  await expect(panel.getByLabel('Log Fold Change')).toHaveValue('0.25');
  await choose('Group By', /^Cell type/);
  await noSeriousViolation(page);

  // Held back, so that there is time to cancel; the next one goes through.
  await page.route('**/api/perform-marker-analysis', () => {}, { times: 1 });
  const cancelled = page.waitForEvent('requestfailed', (failed) =>
    failed.url().endsWith('/api/perform-marker-analysis'),
  );
  await run.click();
  await expect(viewer(page).getByText('Running Marker Analysis')).toBeVisible();
  await viewer(page).getByRole('button', { name: 'Cancel' }).click();
  await cancelled;
  await expect(viewer(page).getByText('Running Marker Analysis')).toHaveCount(0);

  await run.click();
  const markers = page.getByRole('dialog', { name: 'Marker Analysis' });
  await expect(page.getByText('Marker Analysis Complete')).toBeVisible();
  const preview = markers.getByRole('table', { name: /Preview/ });
  // A head, five rows, the line between, five rows.
  await expect(preview.getByRole('row')).toHaveCount(12);
  await expect(markers.getByRole('img', { name: /Dot plot/ })).toBeVisible();
  await noSeriousViolation(page);
  const csv = await downloaded(page, () => markers.getByRole('button', { name: 'Download CSV' }).click());
  expect(csv.name).toBe('marker_genes.csv');
  expect(csv.bytes.toString()).toMatch(/^group,names,scores,[^]*\nB cell,CD79A,/);
  const plot = await downloaded(page, () =>
    markers.getByRole('button', { name: 'Download Dot Plot' }).click(),
  );
  expect(plot.name).toBe('marker_dotplot.png');

  await markers.getByRole('tab', { name: /Full Table/ }).click();
  await markers.getByLabel('Search the table').fill('t cell');
  await markers.getByRole('button', { name: 'Gene', exact: true }).click();
  await expect(markers.getByRole('columnheader', { name: 'Gene' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(markers.getByRole('status')).toHaveText(/^10 of \d+ rows$/);
  await noSeriousViolation(page);
  await markers.getByRole('button', { name: 'Enrich 10 Genes' }).click();

  await expect(panel.getByText(/^10 unique genes/)).toBeVisible();
  await expect(panel.getByRole('combobox', { name: 'Library' })).toContainText('KEGG_2021_Human');
  await run.click();
  const enrichment = page.getByRole('dialog', { name: 'Gene Set Enrichment Analysis' });
  await expect(enrichment.getByRole('img', { name: /Bar plot/ })).toBeVisible();
  const table = await downloaded(page, () =>
    enrichment.getByRole('button', { name: 'Download CSV' }).click(),
  );
  expect(table.name).toBe('pathway_analysis.csv');
  expect(table.bytes.toString()).toMatch(/^Gene_set,Term,Overlap,/);
  const bars = await downloaded(page, () =>
    enrichment.getByRole('button', { name: 'Download Bar Plot' }).click(),
  );
  expect(bars.name).toBe('pathway_analysis_barplot.png');
  await enrichment.getByRole('tab', { name: /Full Table/ }).click();
  await enrichment.getByRole('button', { name: /^Visualize \d+ Genes?$/ }).click();
  await expect(page.getByRole('button', { name: /^Visualize Selected Genes \([1-9]/ })).toBeVisible();
  await expect(panel.getByRole('button', { name: /^View results: Marker Analysis/ })).toBeVisible();
});

test('M45 AI analysis is for Professional users: its text can be copied, and others are told', async ({
  page,
  request,
  browser,
}) => {
  const { demoAccounts } = (await (await request.get('/config.json')).json()) as {
    demoAccounts: DemoAccount[];
  };
  const professional = demoAccounts.find(({ tier }) => tier === 'professional');
  if (!professional) throw new Error('the server shows no professional demo account');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, professional);
  await openExplorer(page);
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/functions/v1/analyze-image', async (route) => {
    await held;
    await route.continue();
  });
  await viewer(page)
    .getByRole('button', { name: /^AI analysis of Cell types/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Analyzing Image' })).toBeVisible();
  release();
  const dialog = page.getByRole('dialog', { name: 'AI Analysis' });
  await expect(dialog.getByRole('region', { name: 'Analysis' })).toContainText('T cell (1,508');
  await expect(page.getByText('Analysis Complete')).toBeVisible();
  await noSeriousViolation(page);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied to clipboard')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('T cell (1,508');

  const other = await browser.newContext();
  const trial = await other.newPage();
  await becomeNewUser(trial);
  await openExplorer(trial);
  await viewer(trial)
    .getByRole('button', { name: /^AI analysis of Cell types/ })
    .click();
  await expect(trial.getByText('Professional Plan Required')).toBeVisible();
  await expect(trial.getByText('AI analysis is available for Professional plan users only.')).toBeVisible();
  await other.close();
});
