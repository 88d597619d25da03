import { expectAccessible } from './support/page-checks.ts';
import { downloaded, type DemoAccount, expect, signIn, test } from './support/test.ts';
import { openExplorer, viewer } from './support/explorer.ts';
import { becomeNewUser } from './support/accounts.ts';
test('a user finds markers, reads and saves the table and the dot plot, and tests a group of them for enrichment', async ({
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
    'Co-Expression Analysis',
    'Composition Analysis',
    'Ranked Enrichment (GSEA)',
    'Cell Type Annotation',
  ]);
  await page.getByRole('option', { name: 'Marker Analysis' }).click();
  await expect(run).toBeDisabled();
  await expect(panel.getByLabel('Number of Genes')).toHaveValue('10');
  await expect(panel.getByLabel('Adjusted P-Value')).toHaveValue('0.05');
  await expect(panel.getByLabel('Log Fold Change')).toHaveValue('0.25');
  await choose('Group By', /^Cell type/);
  await expectAccessible(page, panel);

  // Held back, so that there is time to cancel; the next one goes through.
  let asked: () => void = () => {};
  const sent = new Promise<void>((done) => (asked = done));
  await page.route('**/api/perform-marker-analysis', () => asked(), { times: 1 });
  const cancelled = page.waitForEvent('requestfailed', (failed) =>
    failed.url().endsWith('/api/perform-marker-analysis'),
  );
  await run.click();
  await expect(viewer(page).getByText('Running Marker Analysis')).toBeVisible();
  // What is cancelled before that never leaves the browser.
  await sent;
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
  const csv = await downloaded(page, () => markers.getByRole('button', { name: 'Download CSV' }).click());
  expect(csv.name).toBe('marker_genes.csv');
  expect(csv.bytes.toString()).toMatch(/^(?:# .*\n)+group,names,scores,[^]*\nB cell,CD79A,/);
  const plot = await downloaded(page, () =>
    markers.getByRole('button', { name: 'Download Dot Plot' }).click(),
  );
  expect(plot.name).toBe('marker_dotplot.png');

  await markers.getByRole('tab', { name: /Full Table/ }).click();
  await markers.getByLabel('Search the table').fill('t cell');
  await markers.getByRole('button', { name: 'Gene', exact: true }).click();
  await expect(markers.getByRole('columnheader', { name: 'Gene' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(markers.getByRole('status')).toHaveText(/^10 of \d+ rows$/);
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
  expect(table.bytes.toString()).toMatch(/^# Background: [^\n]*\n(?:# [^\n]*\n)*Gene_set,Term,Overlap,/);
  const bars = await downloaded(page, () =>
    enrichment.getByRole('button', { name: 'Download Bar Plot' }).click(),
  );
  expect(bars.name).toBe('pathway_analysis_barplot.png');
  await enrichment.getByRole('tab', { name: /Full Table/ }).click();
  await enrichment.getByRole('button', { name: /^Visualize \d+ Genes?$/ }).click();
  await expect(page.getByRole('button', { name: /^Visualize Selected Genes \([1-9]/ })).toBeVisible();
  await expect(panel.getByRole('button', { name: /^View results: Marker Analysis/ })).toBeVisible();
});

test('AI analysis is for Professional users: its text can be copied, and others are told', async ({
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
  await expectAccessible(page, dialog);
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
