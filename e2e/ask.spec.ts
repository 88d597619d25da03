import type { Page } from '@playwright/test';
import { explore } from './support/explorer.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Ask a question about the dataset' });
const plan = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true });

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await page.keyboard.press('Enter');
}

test('the demo answers a question with a map, says what needs an account, and names what it does not know', async ({
  page,
}) => {
  await page.goto('/demo/explorer');
  await expect(page.getByRole('group', { name: 'Map of Cell types' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  const examples = page.getByRole('region', { name: 'Examples' });
  await expect(examples.getByRole('button').first()).toBeVisible();
  await expectAccessible(page);

  // Two steps: names of genes that the dataset has under other names or in other case.
  await ask(page, 'color by cd20 and CD3D');
  await expect(plan(page).getByRole('listitem').filter({ hasText: 'Gene: MS4A1' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove Figure: UMAP' }).last().click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Map of MS4A1' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Map of CD3D' })).toHaveCount(0);
  await expect(plan(page).getByText('Done')).toBeVisible();

  // A restriction is a part of the step, which a visitor cannot run.
  await ask(page, 'MS4A1 in T cells by treatment');
  await expect(plan(page)).toContainText('Cells: T cell');
  await expect(plan(page)).toContainText('By: Treatment');
  await expect(plan(page)).toContainText('sign in to run it');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await expectAccessibleInBothThemes(page);

  await ask(page, 'FOXP99 in T cells <img src=x>');
  const refusal = page.getByText('no gene “FOXP99”');
  await expect(refusal).toContainText('“img src=x”');
  await expect(plan(page)).toHaveCount(0);
  await expectAccessible(page);

  await page.keyboard.press('Escape');
  await expect(refusal).toHaveCount(0);
  await expect(field(page)).toBeFocused();
  await page
    .getByRole('region', { name: 'Your last questions' })
    .getByText('MS4A1 in T cells by treatment')
    .click();
  await expect(plan(page)).toContainText('Cells: T cell');
});

test('the explorer runs the steps of a plan one after the other, on the cells that the question names', async ({
  page,
}) => {
  await explore(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('ask a question');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await ask(page, 'markers of NK cells and mast cells');
  await page.getByRole('button', { name: 'Run 2 steps' }).click();
  await expect(plan(page).getByText('Done')).toHaveCount(2);
  await expect(page.getByRole('tab', { name: /^DEG Analysis/ })).toHaveCount(2);

  const request = page.waitForRequest((one) => one.url().endsWith('/perform-marker-analysis'));
  await ask(page, 'markers by treatment in T cells');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  expect((await request).postDataJSON()).toMatchObject({ cells: { subset: { cell_type: ['T cell'] } } });
  await expect(plan(page).getByText('Done')).toBeVisible();

  await page.getByRole('button', { name: 'Edit the parameters of Marker Analysis' }).click();
  await expect(page.getByRole('combobox', { name: 'Group By' })).toContainText('Treatment');
  await expect(page.getByText('1,508 of 5,198 cells active')).toBeVisible();

  await ask(page, 'MS4A1 in B cells by treatment');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Main Viewer' }).getByText('Violin by Treatment'),
  ).toBeVisible();
  await expectAccessible(page, page.getByRole('region', { name: 'Ask', exact: true }));
});
