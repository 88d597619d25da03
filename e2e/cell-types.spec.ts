import type { Locator, Page } from '@playwright/test';
import { chooseFile, downloadedTable, explore, panel, pickAnalysis, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

test('types are suggested from the Annotations panel, seen with their markers, and become labels when one says so; pairs of ligand and receptor are tested between types, seen as dots, counts, violins and a map', async ({
  page,
}) => {
  await explore(page);
  const card = page.getByRole('region', { name: 'Analysis' });
  await suggestTypes(page, card);
  await testPairs(page, card);
});

async function suggestTypes(page: Page, card: Locator): Promise<void> {
  const suggesting = await beginWorkflow(page, 'Suggest cell types');
  await panel(page, 'Annotations').click();
  await card.getByRole('button', { name: 'Suggest cell types...' }).click();
  await expect(card.getByRole('heading', { name: 'Cell Type Annotation' })).toBeVisible();
  const groupBy = card.getByRole('combobox', { name: 'Group By' });
  await expect(groupBy).toHaveText(/^Cluster/);
  await suggesting.aside(async () => {
    // Types that are known, in the place of clusters.
    await groupBy.click();
    await page.getByRole('option', { name: /^Cell type/ }).click();
    await expect(card.getByText(/^45 types · starter, abridged/)).toBeVisible();
    await expectAccessible(page, card);
  });
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();

  const result = page.getByRole('tabpanel', { name: 'Cell Type Annotation' });
  const facts = result.getByRole('button', { name: /^Markers: \d+ of 45 types of .*starter, abridged/ });
  await suggesting.aside(async () => {
    await facts.click();
    await expect(result.getByText(/A suggestion is only the most similar of the listed types/)).toBeVisible();
    await facts.click();
  });
  const table = result.getByRole('region', { name: 'Suggested cell types' });
  const plasma = table.getByRole('row', { name: /^Apply the label of Plasma/ });
  await expect(plasma.getByText('Plasma cell', { exact: true })).toBeVisible();
  await plasma
    .getByRole('button', { name: /^Markers of Plasma: \d+ of \d+ of Plasma cell expressed/ })
    .click();
  const evidence = result.getByRole('region', { name: 'Best: Plasma cell' });
  await expect(evidence.getByRole('row', { name: /^MZB1 \d+%/ })).toBeVisible();
  await expect(result.getByRole('img', { name: 'Heatmap of the Cell Type Annotation' })).toBeVisible();
  await suggesting.aside(() => expectAccessible(page, result));

  const apply = result.getByRole('form', { name: 'Apply to annotation' });
  await expect(apply.getByRole('button', { name: 'Apply to annotation' })).toBeDisabled();
  await plasma.getByRole('checkbox').click();
  await table.getByRole('textbox', { name: 'Label of B cell' }).fill('B, as I say');
  await expect(apply.getByText('2 groups chosen')).toBeVisible();
  await suggesting.aside(async () => {
    await result.getByRole('tab', { name: 'Dot Plot' }).click();
    await expect(result.getByRole('img', { name: 'Dot Plot of the Cell Type Annotation' })).toBeVisible();
    await result.getByRole('tab', { name: 'Suggestions' }).click();
  });
  // They are still chosen after a look at another tab.
  await expect(apply.getByText('2 groups chosen')).toBeVisible();
  await apply.getByLabel('Name').fill('Suggested');
  await apply.getByRole('button', { name: 'Apply to annotation' }).click();
  await expect(page.getByText('Labels Applied')).toBeVisible();
  await suggesting.aside(async () => {
    const csv = await downloadedTable(page, result);
    expect(csv.name).toMatch(/^cell_type_annotation.*\.csv$/);
  });
  await expect(viewer(page).getByRole('listitem').filter({ hasText: 'Plasma' }).first()).toBeVisible();
  await suggesting.end({
    answer: viewer(page).getByRole('button', { name: 'Color by: Suggested' }),
    next: [card.getByRole('button', { name: /^View results: Cell Type Annotation/ })],
  });
  await panel(page, 'Annotations').click();
  await expect(card.getByRole('combobox', { name: 'Annotation', exact: true })).toHaveText('Suggested');
  await expect(card.getByText(/^2 groups, [\d,]+ unlabeled/)).toBeVisible();
  await panel(page, 'Run Analysis').first().click();
  await groupBy.click();
  await expect(page.getByRole('option', { name: 'Suggested (2)' })).toBeVisible();
  await page.keyboard.press('Escape');
}

async function testPairs(page: Page, card: Locator): Promise<void> {
  const mapping = await beginWorkflow(page, 'Map a ligand and its receptor');
  await pickAnalysis(page, 'Ligand-Receptor Analysis');
  await expect(card.getByText(/^100 pairs · starter, abridged/)).toBeVisible();
  await card.getByLabel('Permutations').fill('200');
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('tabpanel', { name: 'Ligand-Receptor Analysis' });
  const facts = result.getByRole('button', { name: /^Pairs: \d+ of 100 of .*starter, abridged/ });
  await mapping.aside(async () => {
    await facts.click();
    await expect(result.getByText(/expression is not protein/)).toBeVisible();
    await facts.click();
    const csv = await downloadedTable(page, result);
    expect(csv.name).toBe('ligand_receptor_analysis.csv');
    await result.getByRole('tab', { name: 'Heatmap' }).click();
    await expect(result.getByRole('img', { name: 'Heatmap of the Ligand-Receptor Analysis' })).toBeVisible();
    const heatmap = await downloaded(page, () => chooseFile(page, result, 'Heatmap', /^SVG/));
    expect(heatmap.name).toBe('ligand_receptor_heatmap.svg');
    expect(heatmap.bytes.toString()).toContain('Number of pairs');
  });

  await result.getByRole('tab', { name: /Full Table/ }).click();
  await result.getByRole('searchbox', { name: 'Search the table' }).click();
  await page.keyboard.type('TREM2');
  await expect(result.getByRole('status').filter({ hasText: /^\d+ of \d+ rows$/ })).toBeVisible();
  const figure = page.getByRole('region', { name: / of APOE and TREM2$/ });
  await mapping.aside(async () => {
    await result
      .getByRole('button', { name: /^Violins of APOE and TREM2/ })
      .first()
      .click();
    await expect(figure.getByRole('img', { name: 'Violins of APOE and TREM2' })).toBeVisible();
    await expectAccessible(page, figure);
    await figure.getByRole('button', { name: 'Back to the result' }).click();
    await expect(figure).toHaveCount(0);
    await result.getByRole('tab', { name: 'Dot Plot' }).click();
    await expect(
      result.getByRole('img', { name: /^Dot plot of the Ligand-Receptor Analysis, “TREM2”/ }),
    ).toBeVisible();
    await result.getByRole('tab', { name: /Full Table/ }).click();
  });

  // From its row in the table to the live map, in two colours.
  await result
    .getByRole('button', { name: /^Map of APOE and TREM2/ })
    .first()
    .click();
  await expect(figure.getByRole('img', { name: 'Map of APOE and TREM2' })).toBeVisible();
  await figure.getByRole('button', { name: 'Show in the viewer' }).click();
  const colours = page.getByRole('complementary', { name: /^Colors of APOE and TREM2/ });
  await expect(
    colours.getByRole('img', { name: /^Colors: APOE from 0 to .* rightwards, TREM2/ }),
  ).toBeVisible();
  await expect(colours.getByRole('list', { name: 'Cells' })).toContainText('Both');
  await mapping.end({
    answer: colours,
    next: [card.getByRole('button', { name: /^View results: Ligand-Receptor/ })],
  });
  await expectAccessible(page, colours);
}
