import type { Locator, Page } from '@playwright/test';
import { explore, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

const legend = (page: Page) => page.getByRole('list', { name: 'Categories', exact: true });
const editor = (page: Page) => page.getByRole('dialog', { name: 'Order and colours of Cell Type' });
const rows = (page: Page) => editor(page).getByRole('list').getByRole('listitem');
const toEdit = (page: Page) => page.getByRole('button', { name: 'Order and colours…' }).first().click();

/** The names of a list in its order, without the numbers of cells behind them. */
async function namesIn(list: Locator): Promise<string[]> {
  const texts = await list
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => item.querySelector('span[title]')?.getAttribute('title') ?? ''),
    );
  return texts;
}

/** The last violins that the page drew for their place, as SVG: what a page reads as a file is not told to tests. */
async function watchedViolins(page: Page): Promise<() => string> {
  let last = '';
  await page.route('**/api/render-figure', async (route) => {
    const asked = route.request().postData() ?? '';
    if (!asked.includes('-violin"') || !asked.includes('"svg"')) return route.fallback();
    const response = await route.fetch();
    last = await response.text();
    return route.fulfill({ response });
  });
  return () => last;
}

/** The texts of an SVG, from left to right as it draws them. */
const textsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!);

test('an order and colours that are chosen in the legend show in violins too, and after coming back', async ({
  page,
}) => {
  test.slow();
  const violins = await watchedViolins(page);
  await explore(page);
  await expect(legend(page).getByRole('listitem').first()).toBeVisible();
  const before = await namesIn(legend(page));
  expect(before.length).toBeGreaterThan(2);

  await toEdit(page);
  await expect(rows(page)).toHaveCount(before.length);
  await expectAccessible(page);
  // The last one goes to the front by the keyboard; Escape while it moves would leave it, not the dialog.
  const last = before.at(-1)!;
  await editor(page)
    .getByRole('button', { name: `Move ${last}`, exact: true })
    .focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(rows(page).last()).toContainText(last);
  await expect(editor(page)).toBeVisible();
  await page.keyboard.press('Space');
  for (let step = 1; step < before.length; step++) {
    await page.keyboard.press('ArrowUp');
    await page.waitForTimeout(100);
  }
  await page.keyboard.press('Space');
  await expect(rows(page).first()).toContainText(last);

  // As the second one is, which is said with its name.
  const second = editor(page).getByLabel(`Colour of ${before[0]}`, { exact: true });
  const colour = editor(page).getByLabel(`Colour of ${last}`, { exact: true });
  await colour.fill(await second.inputValue());
  await expect(rows(page).first().getByRole('status')).toHaveText(`Looks like “${before[0]}”`);
  await colour.fill('#00e5ff');
  await expect(rows(page).first().getByRole('status')).toHaveCount(0);
  await editor(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(editor(page)).toBeHidden();

  const after = [last, ...before.slice(0, -1)];
  await expect.poll(() => namesIn(legend(page))).toEqual(after);
  const dot = legend(page).getByRole('listitem').first().locator('[aria-hidden][style]').first();
  await expect(dot).toHaveCSS('background-color', 'rgb(0, 229, 255)');

  const genes = page.getByRole('combobox', { name: /genes/i }).first();
  await genes.fill('CD79A');
  await genes.press('Enter');
  await page.getByLabel('Generate Expression by Cell Type Violin Plot').first().check();
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(viewer(page).getByRole('heading', { name: /CD79A/ })).toHaveCount(2);
  await expect.poll(() => violins().toLowerCase()).toContain('#00e5ff');
  expect(textsIn(violins()).filter((text) => before.includes(text))).toEqual(after);

  await page.reload();
  await expect.poll(() => namesIn(legend(page).first())).toEqual(after);
  await toEdit(page);
  await editor(page).getByRole('button', { name: 'Reset to the dataset’s own' }).click();
  await expect(editor(page)).toBeHidden();
  await expect.poll(() => namesIn(legend(page).first())).toEqual(before);
  await expect.poll(() => textsIn(violins()).filter((text) => before.includes(text))).toEqual(before);
  expect(violins().toLowerCase()).not.toContain('#00e5ff');
});
