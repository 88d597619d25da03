import { chooseAnalysis, chooseGroup, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('what treated and untreated samples are made of is compared, cell type by cell type', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Composition Analysis');
  await expect(run).toBeDisabled();
  await chooseGroup(page, 'A: the cells of interest', /^Treatment/, /^Neoadjuvant/);
  await chooseGroup(page, 'B: compared with', /^Treatment/, /^Untreated/);
  await expect(card.getByText(/^Patient: .*Samples are the replicates\.$/)).toBeVisible();
  await card.getByRole('combobox', { name: 'Scale' }).click();
  await page.getByRole('option', { name: 'Log odds of shares' }).click();
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Composition Analysis' });
  await expect(result.getByText('Composition Analysis Complete')).toBeVisible();
  await expect(result.getByText(/^The shares of a sample add up to 1/)).toBeVisible();
  await result.getByRole('button', { name: /categories differ$/ }).click();
  await expect(result.getByText(/^moderated t-tests of log odds of shares, ~ side/)).toBeVisible();
  await expectAccessible(page, result);

  await result.getByRole('tab', { name: /Full Table/ }).click();
  await expect(result.getByRole('columnheader', { name: 'Log odds ratio' })).toBeVisible();
  await expect(result.getByRole('button', { name: /^Visualize/ })).toHaveCount(0);
  const table = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(table.name).toBe('composition.csv');
  const text = table.bytes.toString();
  expect(text).toMatch(/^# Data: .*\n# A: .*Neoadjuvant chemotherapy, [\d,]+ cells; B: /);
  const rows = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(rows[0]).toBe(
    'category,share_a,share_b,log_odds,ci_low,ci_high,ratio,scores,pvals,pvals_adj,cells_a,cells_b',
  );
  const shares = rows.slice(1).map((row) => Number(row.split(',')[1]));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);

  await result.getByRole('tab', { name: 'Composition Plot' }).click();
  await expect(result.getByRole('img', { name: /^Composition plot of/ })).toBeVisible();
  const figure = await downloaded(page, () =>
    result
      .getByRole('button', { name: /^Download Composition Plot/ })
      .first()
      .click(),
  );
  expect(figure.name).toMatch(/^composition_dots.*\.png$/);
});
