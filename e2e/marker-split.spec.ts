import { expect } from '@playwright/test';
import { chooseAnalysis, downloadedTable, explore, select } from './support/explorer.ts';
import { linesOf, test } from './support/test.ts';

test('a column of numbers is cut by edges that are typed, and markers of cell types are found within each part, which the table and the figure name', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Marker Analysis');
  await select(page, 'Group By', /^Cell type/);
  await select(page, 'Split By', 'Genes detected (numbers)');
  await select(page, 'Cut into', 'Own edges');
  await expect(run).toBeDisabled();
  await card.getByLabel('Edges: Split By').fill('900, 700');
  await expect(card.getByText(/^Edges must increase:/)).toBeVisible();
  await expect(run).toBeDisabled();
  await card.getByLabel('Edges: Split By').fill('700, 900');
  await expect(card.getByText(/compared with the other cells of its category/)).toBeVisible();
  await run.click();
  const result = page.getByRole('tabpanel', { name: 'Marker Analysis' });
  await expect(
    result.getByText(/within each category of Genes detected|split by Genes detected/i).first(),
  ).toBeVisible();
  await expect(result.getByRole('img', { name: /Dot plot/ })).toBeVisible();
  // All of its columns fit on a narrow screen that they have for themselves.
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole('button', { name: 'Full screen' }).click();
  await result.getByRole('tab', { name: /Full Table/ }).click();
  const table = result.getByRole('region', { name: /^Rows of/ });
  await expect.poll(() => table.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  const csv = await downloadedTable(page, result);
  const text = csv.bytes.toString();
  expect(text).toContain('the other cells of the same category of Genes detected');
  const [, ...rows] = linesOf(csv.bytes);
  const groups = [...new Set(rows.map((row) => row.split(',')[0]!))];
  const ofParts = /^.+ · (below 700|700 to below 900|900 or more)$/;
  expect(groups.length).toBeGreaterThan(4);
  expect(groups.filter((name) => !ofParts.test(name))).toEqual([]);
  // A type with all of its parts, then the next.
  const types = groups.map((name) => name.split(' · ')[0]!);
  expect(types.filter((type, at) => at === 0 || type !== types[at - 1])).toEqual([...new Set(types)]);
});
