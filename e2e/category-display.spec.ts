import type { Locator, Page } from '@playwright/test';
import { addGenes, chooseIn, explore, moveToFront, panel, pickUpLast, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

const legend = (page: Page) => page.getByRole('list', { name: 'Categories', exact: true });
const editor = (page: Page) => page.getByRole('dialog', { name: 'Order, colors and names of Cell Type' });
const rows = (page: Page) => editor(page).getByRole('list').getByRole('listitem');
const shownName = (row: Locator) => row.getByRole('textbox', { name: /^Display name of / });
const toEdit = (page: Page) => page.getByRole('button', { name: 'Order, colors and names…' }).first().click();

async function namesIn(list: Locator): Promise<string[]> {
  const texts = await list
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => item.querySelector('span[title]')?.getAttribute('title') ?? ''),
    );
  return texts;
}

async function watchedViolins(page: Page): Promise<() => string> {
  let last = '';
  await page.route('**/api/render-figure', async (route) => {
    const postData = route.request().postData() ?? '';
    if (!postData.includes('-violin"') || !postData.includes('"svg"')) return route.fallback();
    const response = await route.fetch();
    last = await response.text();
    return route.fulfill({ response });
  });
  return () => last;
}

const textsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!);

test('an order, colours and display names that are chosen in the legend show in violins and lists of cells too, and after coming back, until they are reset', async ({
  page,
}) => {
  const violins = await watchedViolins(page);
  await explore(page);
  await expect(legend(page).getByRole('listitem').first()).toBeVisible();
  const before = await namesIn(legend(page));
  expect(before.length).toBeGreaterThan(2);

  await toEdit(page);
  await expect(rows(page)).toHaveCount(before.length);
  await expectAccessible(page, editor(page));
  // The last one goes to the front by the keyboard; Escape while it moves would leave it, not the dialog.
  const [first, second] = before as [string, string];
  const last = before.at(-1)!;
  const handle = editor(page).getByRole('button', { name: `Move ${last}`, exact: true });
  await handle.focus();
  const { length: count } = before;
  await pickUpLast(page, count);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(`${last} picked up, over place ${count - 1} of ${count}.`)).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.getByText(`${last} was put back to place ${count} of ${count}.`)).toBeAttached();
  await expect(shownName(rows(page).last())).toHaveValue(last);
  await expect(editor(page)).toBeVisible();
  await moveToFront(page, last, count);
  await expect(shownName(rows(page).first())).toHaveValue(last);
  await expect(handle).toBeFocused();

  // As the second one is, which is said with its name.
  const colour = editor(page).getByLabel(`Color of ${last}`, { exact: true });
  await colour.fill(await editor(page).getByLabel(`Color of ${first}`, { exact: true }).inputValue());
  await expect(rows(page).first().getByRole('status')).toHaveText(`Looks like “${first}”`);
  await colour.fill('#00e5ff');
  await expect(rows(page).first().getByRole('status')).toHaveCount(0);

  const field = editor(page).getByRole('textbox', { name: `Display name of ${first}`, exact: true });
  const save = editor(page).getByRole('button', { name: 'Save', exact: true });
  await field.fill(second);
  await expect(editor(page).getByRole('alert')).toContainText('copy the column as an annotation');
  await expect(save).toBeDisabled();
  const called = 'My <b>first</b> type';
  await field.fill(called);
  await expect(editor(page).getByText(`In the dataset: ${first}`)).toBeVisible();
  await save.click();
  await expect(editor(page)).toBeHidden();

  const shown = [last, `${called} (in the dataset: ${first})`, ...before.slice(1, -1)];
  await expect.poll(() => namesIn(legend(page))).toEqual(shown);
  const dot = legend(page).getByRole('listitem').first().locator('[aria-hidden][style]').first();
  await expect(dot).toHaveCSS('background-color', 'rgb(0, 229, 255)');

  await addGenes(page, 'Search genes', 'CD79A');
  await page.getByLabel('Generate Expression by Cell Type Violin Plot').first().check();
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(viewer(page).getByRole('heading', { name: /CD79A/ })).toHaveCount(2);
  await expect.poll(() => violins().toLowerCase()).toContain('#00e5ff');
  // Its last word stands on a line of its own in a narrow card.
  const escapedName = 'My &lt;b&gt;first&lt;/b&gt;';
  const drawn = textsIn(violins()).map((text) => (text.startsWith(escapedName) ? escapedName : text));
  expect(drawn.filter((text) => text === escapedName || before.includes(text))).toEqual([
    last,
    escapedName,
    ...before.slice(1, -1),
  ]);

  await page.reload();
  await expect.poll(() => namesIn(legend(page).first())).toEqual(shown);
  // Lists to choose cells from, with the name of the dataset in the tooltip.
  await panel(page, 'Cell Type Visualization').click();
  const types = page.getByRole('group', { name: 'Cell types', exact: true });
  await expect(types.getByText(called, { exact: true })).toHaveAttribute(
    'title',
    `${called} (in the dataset: ${first})`,
  );

  await toEdit(page);
  await editor(page)
    .getByRole('button', { name: `Reset ${first} to the dataset’s own name`, exact: true })
    .click();
  await expect(field).toHaveValue(first);
  await editor(page).getByRole('button', { name: 'Reset to the dataset’s own' }).click();
  await expect(editor(page)).toBeHidden();
  await expect.poll(() => namesIn(legend(page).first())).toEqual(before);
  await expect.poll(() => textsIn(violins()).filter((text) => before.includes(text))).toEqual(before);
  expect(violins().toLowerCase()).not.toContain('#00e5ff');
  await expect(page.getByText(called)).toHaveCount(0);

  // Where groups are chosen, without a map of them.
  await panel(page, 'Figures by Group').click();
  const usual = page.getByRole('button', { name: 'Order, colors and names of Cell Type', exact: true });
  await usual.click();
  await expect(rows(page).first()).toBeVisible();
  await editor(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(usual).toBeFocused();

  await panel(page, 'Annotations').click();
  await page.getByTitle('Order, colors and names of the groups of a column').click();
  await chooseIn(page, 'Column to customize', /^Cell Type/);
  await expect(rows(page).first()).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
