import type { Locator, Page } from '@playwright/test';
import { chooseAnalysis, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('pairs of ligand and receptor are tested between cell types, seen as dots, counts, violins and a map, and again with a list of one’s own', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Ligand-Receptor Analysis');
  await expect(run).toBeDisabled();
  await card.getByRole('combobox', { name: 'Group By' }).click();
  await page.getByRole('option', { name: /^Cell type/ }).click();
  await expect(card.getByText(/^100 pairs · starter, abridged/)).toBeVisible();
  await card.getByLabel('Permutations').fill('200');
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Ligand-Receptor Analysis' });
  await expect(result.getByText('Ligand-Receptor Analysis Complete')).toBeVisible();
  await expect(result.getByText(/Expression is not protein/)).toBeVisible();

  await result.getByRole('tab', { name: /Full Table/ }).click();
  await result.getByRole('searchbox', { name: 'Search the table' }).fill('TREM2');
  await expect(result.getByRole('status').filter({ hasText: /^\d+ of \d+ rows$/ })).toBeVisible();
  await result
    .getByRole('button', { name: /^Violins of APOE and TREM2/ })
    .first()
    .click();
  const violins = page.getByRole('dialog', { name: 'APOE and TREM2' });
  await expect(violins.getByRole('img', { name: 'Violins of APOE and TREM2' })).toBeVisible();
  await expectAccessible(page, violins);
  await page.keyboard.press('Escape');
  await expect(violins).toHaveCount(0);

  await result.getByRole('tab', { name: 'Dot Plot' }).click();
  await expect(
    result.getByRole('img', { name: /^Dot plot of the Ligand-Receptor Analysis, “TREM2”/ }),
  ).toBeVisible();
  await result.getByRole('tab', { name: 'Heatmap' }).click();
  await expect(result.getByRole('img', { name: 'Heatmap of the Ligand-Receptor Analysis' })).toBeVisible();
  await expectAccessible(page, result);
  await result.getByRole('button', { name: 'Download the dot plot in another format' }).click();
  const heatmap = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).last().click());
  expect(heatmap.name).toBe('ligand_receptor_heatmap.svg');
  expect(heatmap.bytes.toString()).toContain('Number of pairs');

  await result.getByRole('button', { name: 'Choose the rows and the format of the table' }).click();
  const table = await downloaded(page, () =>
    page.getByRole('menuitem', { name: /^CSV of all interactions/ }).click(),
  );
  expect(table.name).toBe('ligand_receptor_analysis.csv');
  const text = table.bytes.toString();
  expect(text).toContain('200 permutations of the labels, seed 0');
  expect(text).toMatch(/^source,target,ligand_complex,receptor_complex,/m);
  const [, tests = ''] = /# ([\d,]+) of [\d,]+ interactions are expressed/.exec(text)!;
  const rows = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(rows).toHaveLength(1 + Number(tests.replaceAll(',', '')));

  await result.getByRole('tab', { name: /Full Table/ }).click();
  await result.getByRole('button', { name: 'Visualize 2 genes' }).first().click();
  await expect(result).toHaveCount(0);
  await page.getByRole('button', { name: 'Visualize Selected Genes (2)' }).click();
  await expect(page.getByText('Gene UMAP Generated')).toBeVisible();

  await card.getByRole('button', { name: /^View results: Ligand-Receptor Analysis/ }).click();
  await showPairOnMap(page, result);
  await testOwnList(card, run, result);
});

/** From its row in the table to the live map, in two colours. */
async function showPairOnMap(page: Page, result: Locator): Promise<void> {
  await result.getByRole('tab', { name: /Full Table/ }).click();
  await result.getByRole('searchbox', { name: 'Search the table' }).fill('TREM2');
  await result
    .getByRole('button', { name: /^Map of APOE and TREM2/ })
    .first()
    .click();
  const figure = page.getByRole('dialog', { name: 'APOE and TREM2' });
  await expect(figure.getByRole('img', { name: 'Map of APOE and TREM2' })).toBeVisible();
  await figure.getByRole('button', { name: 'Show in the viewer' }).click();
  await expect(result).toHaveCount(0);
  const colours = page.getByRole('complementary', { name: /^Colours of APOE and TREM2/ });
  await expect(
    colours.getByRole('img', { name: /^Colours: APOE from 0 to .* rightwards, TREM2/ }),
  ).toBeVisible();
  await expect(colours.getByRole('list', { name: 'Cells' })).toContainText('Both');
  await expectAccessible(page, colours);
}

/** It needs a heading, and is tested once it has one. */
async function testOwnList(card: Locator, run: Locator, result: Locator): Promise<void> {
  await card.getByRole('combobox', { name: 'Pairs' }).click();
  await card.page().getByRole('option', { name: 'Your own list' }).click();
  await expect(run).toBeDisabled();
  await card.getByLabel('List of pairs').fill('CXCL12,CXCR4');
  await expect(card.getByText(/The first line has to be a heading/)).toBeVisible();
  await card.getByLabel('List of pairs').fill('ligand,receptor\nAPOE,TREM2\nNOGENE,TREM2');
  await run.click();
  await expect(result.getByText(/1 of 2 of own list/)).toBeVisible();
  await expect(result.getByText(/Of 2 pairs 1 are in the dataset/)).toBeVisible();
}
