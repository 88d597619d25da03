import { chooseIn, closeResult, explore, panel, pickAnalysis, select } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test, painted, placeOf } from './support/test.ts';

test('the root of a trajectory is a cell that is clicked on the map, and its pseudotime becomes a column; the line of a gradient is drawn on the map, or by its two ends', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Run Analysis').click();
  const card = page.getByRole('region', { name: 'Analysis' });
  const map = page.getByRole('application', { name: /^Map: / }).first();
  const run = card.locator('form').getByRole('button', { name: 'Run Analysis' });
  await pickAnalysis(page, 'Trajectory Analysis');
  await page.getByRole('button', { name: /^Group By: / }).click();
  await chooseIn(page, 'Group By', /^Cell Type/i);
  await card.getByRole('combobox', { name: /^Root/ }).click();
  await page.getByRole('option', { name: 'A cell of the map, or a barcode' }).click();
  const pick = card.getByRole('button', { name: 'Click the cell on the map' });
  await pick.click();
  const prompt = page.getByText('Click the cell where pseudotime is 0. Esc cancels.');
  await expect(prompt.first()).toBeVisible();
  await expectAccessible(page, card);
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);

  await pick.click();
  const barcode = card.getByLabel('Barcode of the root');
  const box = await placeOf(map);
  // Cells lie about the middle: one of these places is on some.
  for (const [x, y] of [
    [0.5, 0.5],
    [0.35, 0.5],
    [0.5, 0.35],
    [0.65, 0.6],
    [0.3, 0.3],
    [0.7, 0.3],
  ] as const) {
    if ((await prompt.count()) === 0) break;
    await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
    await painted(page);
  }
  await expect(barcode).not.toHaveValue('');
  const cell = await barcode.inputValue();
  await run.click();
  const result = page.getByRole('tabpanel', { name: 'Trajectory Analysis' });
  await expect(result.getByText('Trajectory Analysis Complete')).toBeVisible();
  await expect(result.getByText(cell).first()).toBeVisible();

  await result.getByRole('button', { name: 'Add as a column' }).click();
  await page.getByLabel('Name of the column').fill('My pseudotime');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Column Added')).toBeVisible();
  await closeResult(page, 'Trajectory Analysis');

  await page
    .getByRole('button', { name: /^Color by: / })
    .first()
    .click();
  await chooseIn(page, 'Color by', /My pseudotime/i);
  await expect(page.getByRole('slider', { name: 'Upper end of the colors' })).toBeVisible();
  await panel(page, 'Annotations').click();
  const columns = page.getByRole('region', { name: 'Columns of numbers' });
  await expect(columns.getByText('My pseudotime')).toBeVisible();
  await expect(columns).toContainText('Diffusion pseudotime from');
  await panel(page, 'Run Analysis').first().click();

  await pickAnalysis(page, 'Gradient Analysis');
  await select(page, 'Axis', 'Line between two points of the map');
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
  const draw = card.getByRole('button', { name: 'Draw the line on the map' });
  const from = card.getByLabel('From: horizontal');
  await draw.click();
  await page.mouse.move(...at(0.2, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.5, 0.5), { steps: 4 });
  await page.mouse.move(...at(0.8, 0.5));
  await page.mouse.up();
  await expect(from).not.toHaveValue('');
  const [left, right] = [
    Number(await from.inputValue()),
    Number(await card.getByLabel('To: horizontal').inputValue()),
  ];
  expect(right).toBeGreaterThan(left);
  expect(await card.getByLabel('From: vertical').inputValue()).toBe(
    await card.getByLabel('To: vertical').inputValue(),
  );

  await draw.click();
  await page.mouse.click(...at(0.7, 0.3));
  await page.mouse.click(...at(0.3, 0.7));
  await expect.poll(async () => Number(await from.inputValue())).toBeGreaterThan(left);
  await run.click();
  const gradient = page.getByRole('tabpanel', { name: 'Gradient Analysis' });
  await expect(gradient.getByText('Gradient Analysis Complete')).toBeVisible();
  await gradient.getByRole('tab', { name: 'Figures' }).click();
  await gradient.getByRole('radio', { name: 'The axis on the UMAP' }).click();
  await expect(gradient.getByRole('button', { name: 'Add as a column' })).toBeVisible();
});
