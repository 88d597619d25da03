import { expect, type Locator, type Page } from '@playwright/test';
import { becomeNewUser } from './accounts.ts';
import { downloaded } from './test.ts';

export const dataset = 'demo-breast-triple-negative.h5ad';
export const explorerAddress = `/explorer?${new URLSearchParams({ disease: 'Breast Cancer', dataset })}`;

export const viewer = (page: Page) => page.getByRole('region', { name: 'Main Viewer' });
export const library = (page: Page) => page.getByRole('region', { name: 'Image Library' });

export const panel = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true });

export const notice = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

export async function explore(page: Page): Promise<void> {
  await becomeNewUser(page);
  await page.goto(explorerAddress);
  await expect(page.getByText(/^[\d,]+ cells active$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Image Library' })).toBeVisible();
}

export async function openExplorer(page: Page): Promise<void> {
  await page.goto(explorerAddress);
  await expect(library(page).getByText('Always here')).toBeVisible();
  await expect(library(page).getByText('Loading your images...')).toHaveCount(0);
}

export async function addGenes(page: Page, label: string, genes: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(genes);
  await page.keyboard.press('Enter');
}

export async function select(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click();
}

export async function chooseIn(page: Page, list: string, entry: string | RegExp): Promise<void> {
  await page.getByRole('list', { name: list }).getByRole('button', { name: entry }).click();
}

export const analysisCard = (page: Page) => page.getByRole('region', { name: 'Analysis', exact: true });

/** From the list of analyses, or from the form of another one, in the open panel. */
export async function pickAnalysis(page: Page, analysis: string): Promise<void> {
  const card = analysisCard(page);
  const entry = card.getByRole('button', { name: analysis, exact: true });
  const back = card.getByRole('button', { name: 'All analyses' });
  await expect(entry.or(back)).toBeVisible();
  if (await back.isVisible()) await back.click();
  await entry.click();
}

export async function chooseAnalysis(page: Page, analysis: string) {
  await panel(page, 'Run Analysis').click();
  await pickAnalysis(page, analysis);
  const card = analysisCard(page);
  return { card, run: card.locator('form').getByRole('button', { name: 'Run Analysis' }) };
}

/** Both sides of a comparison by the two values of a column. */
export async function chooseCondition(page: Page, condition: RegExp): Promise<void> {
  await page.getByRole('group', { name: 'Conditions' }).getByRole('button', { name: condition }).click();
}

export async function chooseGroup(page: Page, side: string, column: RegExp, group: RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${side}: `) }).click();
  await page.getByRole('button', { name: /^Column: / }).click();
  await chooseIn(page, 'Column', column);
  await page
    .getByRole('group', { name: /^Groups of/ })
    .getByRole('checkbox', { name: group })
    .click();
  await page.getByRole('button', { name: 'Use these groups' }).click();
}

/**
 * Picks up the last entry of a sortable list of `count` by keyboard; its handle must have the focus. Arrow keys then
 * move it.
 */
export async function pickUpLast(page: Page, count: number): Promise<void> {
  await page.keyboard.press('Space');
  await expect(page.getByText(`picked up, over place ${count} of ${count}.`)).toBeAttached();
  // The list listens to arrows from a timer on, begun before this one.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

export async function moveToFront(page: Page, name: string, count: number): Promise<void> {
  await pickUpLast(page, count);
  for (let place = count - 1; place >= 1; place--) {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(`${name} picked up, over place ${place} of ${count}.`)).toBeAttached();
  }
  await page.keyboard.press('Space');
  await expect(page.getByText(`${name} was put down at place 1 of ${count}.`)).toBeAttached();
}

/** Clicks and waits for a text, however briefly it is shown: a quick analysis opens its result over its notice. */
export async function clickAndNotice(page: Page, button: Locator, text: string): Promise<void> {
  const appeared = page.evaluate(
    (expectedText) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!document.body.textContent?.includes(expectedText)) return;
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    text,
  );
  await button.click();
  await appeared;
}

/** Closes the result of an analysis that is shown in the dock. */
export async function closeResult(page: Page, title: string): Promise<void> {
  // Later runs are numbered.
  const name = (before: string) => new RegExp(`^${before}${title}( \\d+)?$`);
  await page.getByRole('button', { name: name('Close ') }).click();
  await expect(page.getByRole('tabpanel', { name: name('') })).toBeHidden();
}

/** Chooses a file in the download menu of a result. */
export async function chooseFile(page: Page, result: Locator, group: string | RegExp, file: RegExp) {
  await result.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('group', { name: group }).getByRole('menuitem', { name: file }).click();
}

/** The visible rows of a result as CSV. */
export function downloadedTable(page: Page, result: Locator): ReturnType<typeof downloaded> {
  return downloaded(page, async () => {
    await result.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).first().click();
  });
}
