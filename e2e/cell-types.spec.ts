import { chooseAnalysis, clickAndNotice, explore, panel, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('types are suggested from the Annotations panel, seen with their markers, and become labels when one says so', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Annotations').click();
  const card = page.getByRole('region', { name: 'Analysis' });
  await card.getByRole('button', { name: 'Suggest cell types...' }).click();
  await expect(card.getByRole('combobox', { name: 'Analysis Type' })).toHaveText('Cell Type Annotation');
  const run = card.locator('form').getByRole('button', { name: 'Run Analysis' });
  await expect(run).toBeEnabled();
  const groupBy = card.getByRole('combobox', { name: 'Group By' });
  await expect(groupBy).toHaveText(/^Cluster/);
  await groupBy.click();
  await page.getByRole('option', { name: /^Cell type/ }).click();
  await expect(card.getByText(/^45 types · starter, abridged/)).toBeVisible();
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Cell Type Annotation' });
  await expect(result.getByText('Cell Type Annotation Complete')).toBeVisible();
  await expect(result.getByText(/A suggestion says which of the listed types/)).toBeVisible();
  const table = result.getByRole('region', { name: 'Suggested cell types' });
  const plasma = table.getByRole('row', { name: /^Apply the label of Plasma/ });
  await expect(plasma.getByText('Plasma cell', { exact: true })).toBeVisible();
  await plasma
    .getByRole('button', { name: /^Markers of Plasma: \d+ of \d+ of Plasma cell expressed/ })
    .click();
  const evidence = result.getByRole('region', { name: 'Best: Plasma cell' });
  await expect(evidence.getByRole('row', { name: /^MZB1 \d+%/ })).toBeVisible();
  await expect(result.getByRole('img', { name: 'Heatmap of the Cell Type Annotation' })).toBeVisible();
  await expectAccessible(page, result);

  const apply = result.getByRole('form', { name: 'Apply to annotation' });
  await expect(apply.getByRole('button', { name: 'Apply to annotation' })).toBeDisabled();
  await plasma.getByRole('checkbox').click();
  await table.getByRole('textbox', { name: 'Label of B cell' }).fill('B, as I say');
  await expect(apply.getByText('2 groups chosen')).toBeVisible();
  await apply.getByLabel('Name').fill('Suggested');
  await apply.getByRole('button', { name: 'Apply to annotation' }).click();
  await expect(page.getByText('Labels Applied')).toBeVisible();

  await result.getByRole('tab', { name: 'Dot Plot' }).click();
  await expect(result.getByRole('img', { name: 'Dot Plot of the Cell Type Annotation' })).toBeVisible();
  await result.getByRole('button', { name: 'Choose the rows and the format of the table' }).click();
  const csv = await downloaded(page, () =>
    page.getByRole('menuitem', { name: /^CSV of all groups/ }).click(),
  );
  expect(csv.name).toBe('cell_type_annotation.csv');
  expect(csv.bytes.toString()).toMatch(/^Plasma,1,Plasma cell,Plasma cell,/m);

  await page.keyboard.press('Escape');
  await expect(result).toHaveCount(0);
  await expect(viewer(page).getByRole('button', { name: 'Colour by: Suggested' })).toBeVisible();
  await expect(card.getByRole('combobox', { name: 'Annotation', exact: true })).toHaveText('Suggested');
  await expect(card.getByText(/^2 groups, [\d,]+ unlabelled/)).toBeVisible();
  await card.getByRole('combobox', { name: 'Group By' }).click();
  await expect(page.getByRole('option', { name: 'Suggested (2)' })).toBeVisible();
});

test('a list of one’s own decides what can be suggested', async ({ page }) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Cell Type Annotation');
  await card.getByRole('combobox', { name: 'Group By' }).click();
  await page.getByRole('option', { name: /^Cell type/ }).click();
  await card.getByRole('combobox', { name: 'Markers' }).click();
  await page.getByRole('option', { name: 'Your own list' }).click();
  await expect(run).toBeDisabled();
  await card.getByLabel('List of markers').fill('B,CD19');
  await expect(card.getByText(/The first line has to be a heading/)).toBeVisible();
  await card
    .getByLabel('List of markers')
    .fill('cell_type,gene\nMine,JCHAIN MZB1 XBP1 DERL3 NOGENE\nYours,GAPDH ACTB');
  await run.click();
  const result = page.getByRole('dialog', { name: 'Cell Type Annotation' });
  await expect(result.getByText(/1 of 2 types of own list/)).toBeVisible();
  const table = result.getByRole('region', { name: 'Suggested cell types' });
  await expect(
    table.getByRole('row', { name: /^Apply the label of Plasma/ }).getByText('Mine', { exact: true }),
  ).toBeVisible();
  await expect(result.getByText(/Types with fewer than 3 of theirs/)).toBeVisible();
});
