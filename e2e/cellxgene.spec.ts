import type { Locator, Page } from '@playwright/test';
import { explorerAddress, panel } from './support/explorer.ts';
import { expectAccessibleInBothThemes } from './support/page-checks.ts';
import { becomeProfessional } from './support/upload-page.ts';
import { expect, test } from './support/test.ts';

interface Value {
  /** Searched for; else the value is one of a few. */
  words?: string;
  option?: RegExp | string;
  button?: RegExp | string;
}

/** Fills in one value of a field for all cells. */
async function fillIn(page: Page, dialog: Locator, field: string, { words, option, button }: Value) {
  await dialog.getByRole('button', { name: `${field}: fill in` }).click();
  const one = dialog.getByRole('radio', { name: 'One value for all cells' });
  if (!(await one.isChecked())) await one.click();
  await dialog.getByLabel(new RegExp(`^Value of ${field}`)).click();
  const search = page.getByRole('dialog', { name: `Value of ${field}` });
  if (words !== undefined) await search.getByRole('combobox').fill(words);
  if (button !== undefined) await search.getByRole('button', { name: button }).click();
  if (option !== undefined) await page.getByRole('option', { name: option, exact: true }).click();
  await dialog.getByRole('button', { name: `${field}: change` }).click();
}

test('a dataset is checked against the schema of CELLxGENE, what is missing is filled in, and its file becomes one of the user’s', async ({
  page,
}) => {
  test.slow();
  await becomeProfessional(page);
  await page.goto(explorerAddress);
  await panel(page, 'Export Cells').click();
  await page.getByRole('button', { name: 'Check for CELLxGENE...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Check and Export for CELLxGENE Discover' });
  const make = dialog.getByRole('button', { name: 'Make File' });
  await expect(dialog.getByText(/^\d+ requirements not met yet\.$/)).toBeVisible();
  await expect(make).toBeDisabled();
  // Labels become terms by their names, and what no name says is chosen.
  const types = dialog.getByRole('button', { name: /^Cell type: / });
  await types.click();
  const labels = dialog.getByRole('table', { name: 'Labels of Cell type' });
  await expect(
    labels.getByRole('row', { name: /^T cell 1,508 Value of T cell: T cell \(CL:0000084\)/ }),
  ).toBeVisible();
  await expectAccessibleInBothThemes(page, dialog);
  await types.click();
  await dialog.getByLabel('Title of the dataset').fill('Simulated breast tumors');
  await fillIn(page, dialog, 'Kind of sample', { option: 'tissue' });
  await fillIn(page, dialog, 'Tissue', { words: 'breast', option: /UBERON:0000310/ });
  await fillIn(page, dialog, 'Disease', { button: /^normal / });
  await fillIn(page, dialog, 'Assay', { words: "10x 3' v3", option: /EFO:0009922/ });
  await fillIn(page, dialog, 'Suspension', { option: 'cell' });
  // The column of stages is of tumors.
  await fillIn(page, dialog, 'Developmental stage', { button: 'unknown' });
  await fillIn(page, dialog, 'Self-reported ethnicity', { button: 'unknown' });
  await fillIn(page, dialog, 'Primary data', { option: 'True' });
  await expect(make).toBeEnabled();
  await make.click();
  await expect(dialog).toBeHidden();
  await page.goto('/upload-data');
  await expect(page.getByText('Triple-negative breast tumors for CELLxGENE').first()).toBeVisible({
    timeout: 60_000,
  });
});
