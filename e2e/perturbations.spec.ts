import { chooseAnalysis, chooseIn, downloadedTable, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

test('treatments are compared with their controls as a screen: effects, a check of controls, a table, and a volcano by one click', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Perturbation Screen');
  await card.getByRole('button', { name: /^Perturbations/ }).click();
  await chooseIn(page, 'Perturbations', /^Treatment/);
  await expect(card.getByText('No group is named as a control: name the controls.')).toBeVisible();
  await expect(run).toBeDisabled();
  await card.getByRole('textbox', { name: 'Controls' }).fill('Untreated');
  await card.getByRole('spinbutton', { name: 'Permutations' }).fill('99');
  await expectAccessible(page, card);
  await run.click();
  const result = page.getByRole('tabpanel', { name: 'Perturbation Screen' });
  await expect(result.getByText(/cells of Untreated/).first()).toBeVisible();
  await expect(result.getByText(/^Each of [\d,]+ cells counts as a replicate/)).toBeVisible();
  await expectAccessible(page, result);
  await result.getByRole('tab', { name: 'Screen Figures' }).click();
  await expect(result.getByRole('img', { name: /^Effects/ })).toBeVisible();
  await result.getByText('Controls', { exact: true }).last().click();
  await expect(result.getByRole('img', { name: /^Controls/ })).toBeVisible();
  expect((await downloadedTable(page, result)).name).toBe('perturbations.csv');
  await result
    .getByRole('button', { name: /^Volcano of / })
    .first()
    .click();
  await expect(card.getByText(/^Of the active cells: /)).toBeVisible();
  await run.click();
  await expect(
    page
      .getByRole('tabpanel', { name: 'DEG Analysis' })
      .getByText(/against Untreated|against controls/)
      .first(),
  ).toBeVisible();
});
