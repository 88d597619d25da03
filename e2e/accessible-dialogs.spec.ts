import { expectAccessible, expectAccessibleInBothThemes } from './support/page-checks.ts';
import { addGenes, explore, notice, panel, select, viewer, pickAnalysis } from './support/explorer.ts';
import { becomeNewUser } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

test('the pages around signing in and of the account are accessible, in the light theme and the dark one', async ({
  page,
}) => {
  for (const [path, heading, look] of [
    ['/auth', 'Welcome to Cellfolio', expectAccessibleInBothThemes],
    ['/dataset-selector', 'Dataset Selector', expectAccessibleInBothThemes],
    // Nothing beyond what those have, in the theme that is left.
    ['/auth/forgot-password', 'Reset', expectAccessible],
    ['/auth/confirm', 'Confirm', expectAccessible],
    ['/no/such/page', '404', expectAccessible],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    if (path === '/dataset-selector') await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible();
    await look(page);
  }
  await becomeNewUser(page);
  await page.goto('/account');
  await page.getByRole('button', { name: /Signed in as/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  for (const [path, shown] of [
    ['/upload-data', 'Upload Data'],
    ['/dataset-selector', 'No H5AD files uploaded yet'],
    ['/explorer', 'No Dataset Selected'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(shown, { exact: true }).first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
  }
  await page.setViewportSize({ width: 767, height: 900 });
  await expect(page.getByRole('heading', { name: 'Desktop Required' })).toBeVisible();
  await expectAccessible(page);
});

test('every panel and dialog of the explorer is accessible, in the light theme and the dark one', async ({
  page,
}) => {
  test.slow();
  await explore(page);
  const panels = [
    'Cell State Visualization',
    'Signature Visualization',
    'Cell Type Visualization',
    'Run Analysis',
    'Export Cells',
  ].map((title) => panel(page, title).first());
  for (const one of panels) {
    await one.click();
    await expect(one).toHaveAttribute('aria-expanded', 'true');
    await expectAccessibleInBothThemes(page, page.locator('section').filter({ has: one }));
  }
  await page.getByRole('button', { name: 'Hide the panels' }).click();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Show the panels' }).click();
  await panel(page, 'Manage Cell Subsets').click();
  const filters = page.getByRole('group', { name: 'Filter types' });
  for (const filter of await filters.getByRole('checkbox').all()) await filter.check();
  await expectAccessibleInBothThemes(page, page.locator('section').filter({ has: filters }));
  await panel(page, 'Gene Visualization').click();

  const search = page.getByRole('combobox', { name: 'Search genes' });
  await search.fill('cd');
  await expect(page.getByRole('option')).toHaveCount(10);
  await expectAccessible(page, page.locator('section').filter({ has: search }));
  await addGenes(page, 'Search genes', 'CD3D');
  // A server that takes its time.
  let answerNow: () => void = () => {};
  const gate = new Promise<void>((done) => (answerNow = done));
  await page.route('**/api/plot-umap-with-genes', async (route) => {
    await gate;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  const progressNotice = page.getByRole('status').filter({ hasText: 'Generating Gene UMAP' });
  await expect(progressNotice).toBeVisible();
  await expectAccessibleInBothThemes(page, progressNotice.locator('..'));
  answerNow();
  await expect(notice(page, 'Found: CD3D')).toBeVisible();
  await expectAccessibleInBothThemes(page, viewer(page));
  await viewer(page)
    .getByRole('button', { name: /^Open CD3D.* large/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInBothThemes(page, page.getByRole('dialog'));
  await page.keyboard.press('Escape');

  await panel(page, 'Run Analysis').click();
  await pickAnalysis(page, 'Marker Analysis');
  await select(page, 'Group By', /^Cell type/);
  await page.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('tabpanel', { name: 'Marker Analysis' });
  const dock = page.getByRole('region', { name: 'Results' });
  await expect(result).toBeVisible();
  for (const tab of await result.getByRole('tab').all()) {
    await tab.click();
    await expectAccessibleInBothThemes(page, dock);
  }
  await page.getByRole('link', { name: 'Change dataset' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave Exploration' });
  await expect(leaving).toBeVisible();
  await expectAccessibleInBothThemes(page, leaving);
});
