import { chooseAnalysis, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('the cells with most of a gene are compared with those with least, with figures of both ends', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Top/Bottom Decile Expression Profiling');
  await expect(run).toBeDisabled();
  await card.getByRole('combobox', { name: 'Gene', exact: true }).fill('EPCAM');
  await card.getByRole('combobox', { name: 'Gene', exact: true }).press('Enter');
  await expect(card.getByText(/^Active cells are ranked within each sample/)).toBeVisible();
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Top/Bottom Decile Expression Profiling' });
  await expect(result.getByText('Top/Bottom Decile Expression Profiling Complete')).toBeVisible();
  await expect(result.getByText(/^The ends are made of different cells: /)).toBeVisible();
  const ends = result.getByRole('button', {
    name: /^Ends: ranked by the expression of EPCAM within \d+ samples/,
  });
  await ends.click();
  await expect(result.getByRole('table', { name: /^Ends of each / })).toBeVisible();
  await expect(result.getByRole('table', { name: /^Both ends by / })).toBeVisible();
  await expectAccessible(page, result);
  await ends.click();

  await result.getByRole('tab', { name: 'Plots' }).click();
  await expect(result.getByRole('group', { name: 'Thresholds' })).toBeVisible();
  await result.getByRole('tab', { name: 'Ends' }).click();
  await expect(result.getByRole('img', { name: /^Ends of the Top\/Bottom Decile/ })).toBeVisible();
  await result.getByRole('tab', { name: 'Composition' }).click();
  await expect(result.getByRole('img', { name: /^Composition of the Top\/Bottom Decile/ })).toBeVisible();
  await result.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(result.getByRole('img', { name: 'Genes by sample of the samples' })).toBeVisible();

  const table = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(table.name).toBe('decile_profiling.csv');
  const lines = table.bytes.toString().split('\n');
  expect(lines).toContain('# Not tested, as they chose the cells: EPCAM');
  expect(lines.find((line) => line.startsWith('EPCAM,'))).toMatch(/,chose the cells$/);
});
