import { expect, type Page } from '@playwright/test';
import { explore, moveToFront, panel, select } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, test } from './support/test.ts';

const form = (page: Page) => page.getByRole('region', { name: 'Analysis' }).locator('form');
const results = (page: Page) => page.getByRole('dialog', { name: 'Marker Analysis' });

async function runMarkers(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Run Analysis' }).click();
  await expect(page.getByText('Marker Analysis Complete').last()).toBeVisible({ timeout: 60_000 });
}

/** The groups of a CSV in their order, and its comments. */
async function csvOf(page: Page): Promise<{ groups: string[]; comments: string }> {
  const { bytes } = await downloaded(page, () =>
    results(page).getByRole('button', { name: 'Download CSV' }).click(),
  );
  const lines = bytes.toString().trimEnd().split('\n');
  const [, ...rows] = lines.filter((line) => !line.startsWith('#'));
  return {
    groups: [...new Set(rows.map((row) => row.split(',')[0]!))],
    comments: lines.filter((line) => line.startsWith('#')).join('\n'),
  };
}

test('a column of numbers is cut by edges that are typed, wrong ones are said before anything runs, and markers of cell types are found within each treatment, which the table and the figure name', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Run Analysis').click();
  await select(page, 'Analysis Type', 'Marker Analysis');
  await select(page, 'Group By', 'Genes detected (numbers)');
  await select(page, 'Cut into', 'Own edges');
  const run = form(page).getByRole('button', { name: 'Run Analysis' });
  await expect(run).toBeDisabled();
  await form(page).getByLabel('Edges: Group By').fill('900, 700');
  await expect(form(page).getByText(/^Edges rise:/)).toBeVisible();
  await expect(run).toBeDisabled();
  await form(page).getByLabel('Edges: Group By').fill('700, 900');
  await runMarkers(page);
  const { groups: bins } = await csvOf(page);
  expect(bins.length).toBeGreaterThan(0);
  expect(bins.filter((name) => !/^(below 700|700 to below 900|900 or more)$/.test(name))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(results(page)).toBeHidden();

  await select(page, 'Group By', /^Cell type/);
  await select(page, 'Split By', /^Treatment/);
  await expect(form(page).getByText(/compared with the other cells of the same category/)).toBeVisible();
  await expectAccessible(page, form(page));
  await runMarkers(page);
  await expect(
    results(page)
      .getByText(/within each category of Treatment|split by Treatment/)
      .first(),
  ).toBeVisible();
  await expect(results(page).getByRole('img', { name: /Dot plot/ })).toBeVisible();
  // All of its columns fit on a narrow screen.
  await page.setViewportSize({ width: 1024, height: 768 });
  await results(page)
    .getByRole('tab', { name: /Full Table/ })
    .click();
  const table = results(page).getByRole('region', { name: /^Rows of/ });
  await expect.poll(() => table.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  const { groups, comments } = await csvOf(page);
  expect(groups.length).toBeGreaterThan(4);
  expect(groups.filter((name) => !/^.+ · .+$/.test(name))).toEqual([]);
  // A type with all of its treatments, then the next.
  const types = groups.map((name) => name.split(' · ')[0]!);
  expect(types.filter((type, at) => at === 0 || type !== types[at - 1])).toEqual([...new Set(types)]);
  expect(comments).toContain('the other cells of the same category of Treatment alone');
});

test('a category that is moved by the keyboard keeps the focus, is announced, and orders the markers after coming back', async ({
  page,
}) => {
  await explore(page);
  const legend = page.getByRole('list', { name: 'Categories', exact: true });
  await expect(legend.getByRole('listitem').first()).toBeVisible();
  await page.getByRole('button', { name: 'Order, colours and names…' }).first().click();
  const editor = page.getByRole('dialog', { name: 'Order, colours and names of Cell Type' });
  const handles = editor.getByRole('button', { name: /^Move / });
  await expect(handles.nth(1)).toBeVisible();
  const count = await handles.count();
  const moved = (await handles.last().getAttribute('aria-label'))!.replace(/^Move /, '');
  const handle = editor.getByRole('button', { name: `Move ${moved}`, exact: true });
  await handle.focus();
  await moveToFront(page, moved, count);
  await expect(handles.first()).toHaveAttribute('aria-label', `Move ${moved}`);
  await expect(handle).toBeFocused();
  await editor.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(editor).toBeHidden();

  await page.reload();
  await expect(legend.first().getByRole('listitem').first()).toContainText(moved);
  await panel(page, 'Run Analysis').click();
  await select(page, 'Analysis Type', 'Marker Analysis');
  await select(page, 'Group By', /^Cell type/);
  await runMarkers(page);
  expect((await csvOf(page)).groups[0]).toBe(moved);
});
