import { chooseAnalysis, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('cells are ordered from the tip of a group, with four figures, the genes and a file of the cells', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Trajectory Analysis');
  await expect(run).toBeDisabled();
  await page.getByRole('button', { name: /^Group By: / }).click();
  await page
    .getByRole('list', { name: 'Group By' })
    .getByRole('button', { name: /^Cell Type/i })
    .click();
  await card.getByRole('combobox', { name: /^Root/ }).click();
  await page.getByRole('option', { name: 'The tip of a group' }).click();
  await expect(run).toBeDisabled();
  await card.getByRole('combobox', { name: 'Group of the root' }).click();
  await page.getByRole('option', { name: 'Macrophage' }).click();
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Trajectory Analysis' });
  await expect(result.getByText('Trajectory Analysis Complete')).toBeVisible();
  await expect(
    result.getByText(/^The graph of nearest cells has \d+ parts that no edge joins/),
  ).toBeVisible();
  await result.getByRole('button', { name: /^Root: .*\(Macrophage\)/ }).click();
  await expect(result.getByRole('table', { name: 'PAGA connectivities' })).toBeVisible();
  await expectAccessible(page, result);
  await result.getByRole('button', { name: /^Root: / }).click();

  await result.getByRole('tab', { name: 'Pseudotime Map' }).click();
  await expect(result.getByRole('img', { name: /^Pseudotime on the UMAP, from / })).toBeVisible();
  for (const figure of ['PAGA graph of the groups', 'Heatmap of genes', 'Curves of genes']) {
    await result.getByRole('combobox', { name: 'Figure' }).click();
    await page.getByRole('option', { name: figure }).click();
    await expect(result.getByRole('img', { name: new RegExp(`^${figure}, from `) })).toBeVisible();
  }
  const picture = await downloaded(page, () =>
    result.getByRole('button', { name: 'Download Curves of genes as SVG' }).click(),
  );
  expect(picture.name).toBe('pseudotime_curve.svg');
  expect(picture.bytes.toString()).toContain('Genes along pseudotime');

  const cells = await downloaded(page, () =>
    result.getByRole('button', { name: 'Pseudotime of each cell, CSV' }).click(),
  );
  const lines = cells.bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('barcode,cell_type,pseudotime');
  expect(lines.filter((line) => line.endsWith(',0'))).toHaveLength(1);
  const table = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(table.name).toBe('trajectory_genes.csv');
  expect(table.bytes.toString()).toContain('\nnames,rho,pvals,pvals_adj,pct_nz,mean,peak\n');
});
