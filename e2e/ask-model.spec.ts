import type { Page } from '@playwright/test';
import { sessionOf, signInAs } from './support/accounts.ts';
import { explore, explorerAddress } from './support/explorer.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './support/page-checks.ts';
import { modelName } from './support/scripted-model.ts';
import { demoAccount, downloaded, expect, test } from './support/test.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Ask', exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'Ask a question about the dataset' });
const plan = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true });
const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await page.keyboard.press('Enter');
}

async function exploreAsProfessional(page: Page): Promise<void> {
  const account = await demoAccount(page.request, 'professional');
  await signInAs(page, { session: await sessionOf(account) });
  await page.goto(explorerAddress);
  await expect(page.getByText(/^[\d,]+ cells active$/)).toBeVisible();
}

test('a model plans what rules cannot, and its answer leads to the rows that its numbers are of', async ({
  page,
}) => {
  await exploreAsProfessional(page);
  const question = `Why do B cells differ, ${crypto.randomUUID()}?`;
  await ask(page, question);
  await card(page)
    .getByRole('button', { name: `Ask the model (${modelName}, openai-compatible)` })
    .click();
  await expect(plan(page)).toContainText('Group By: Cell type');
  await expect(plan(page)).toContainText('Shows where <b>MS4A1</b> is.');
  await expect(card(page)).toContainText('tokens read');
  await expectAccessible(page, card(page));

  await plan(page).getByRole('button', { name: 'Run 2 steps' }).click();
  await expect(plan(page).getByText('Done')).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Map of MS4A1' })).toBeVisible();
  await expect(answer(page)).toContainText('leads with a score of');
  await expect(answer(page)).toContainText('The map <img src=x> shows');
  await expect(answer(page)).not.toContainText('90%');
  await expect(answer(page)).toContainText('1 sentence left out');
  await expect(answer(page)).toContainText('0.003 USD');
  await expectAccessibleInBothThemes(page);

  const score = answer(page).getByRole('button').nth(1);
  const text = (await score.textContent())!;
  await score.hover();
  await expect(page.getByRole('tooltip')).toContainText('Marker Analysis: Score, row 1');
  await score.press('Enter');
  const result = page.getByRole('dialog', { name: 'Marker Analysis' });
  await expect(result.locator('[aria-current=true]')).toContainText(text);
  await expectAccessible(page, result);
  await page.keyboard.press('Escape');
  await expect(score).toBeFocused();

  await page.getByRole('button', { name: 'Clear the question' }).click();
  await field(page).click();
  await page
    .getByRole('region', { name: 'Answered questions' })
    .getByRole('button', { name: question })
    .click();
  await expect(answer(page)).toContainText(text);
  const { name, bytes } = await downloaded(page, () =>
    card(page).getByRole('button', { name: 'Export', exact: true }).click(),
  );
  expect(name).toMatch(/\.json$/);
  expect(JSON.parse(bytes.toString())).toMatchObject({
    question,
    steps: [{ calls: [{ method: 'POST' }] }, {}],
  });
  await expectAccessible(page, card(page));
  await card(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('region', { name: 'Answered questions' })).not.toContainText(question);
  await expect(field(page)).toBeFocused();
});

test.describe('before own data goes to a model', () => {
  test.use({ expectedErrors: /403/ });

  test('its user agrees, and can withdraw that; a question without data is refused in a sentence', async ({
    page,
  }) => {
    await exploreAsProfessional(page);
    const { assistant } = await (await page.request.get('/config.json')).json();
    await page.route(
      '**/api/assistant/plan',
      (route) =>
        route.fulfill({
          status: 403,
          json: { code: 'consent_needed', message: 'Agree to it first.', details: assistant },
        }),
      { times: 1 },
    );
    await field(page).click();
    await card(page).getByRole('radio', { name: 'Ask the model' }).click();
    await ask(page, 'How does survival depend on B cells?');
    const dialog = page.getByRole('dialog', { name: 'Send your own data to a model?' });
    await expect(dialog).toContainText(assistant.host);
    await expectAccessible(page, dialog);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(card(page)).toContainText('Agree to it first.');
    await card(page).getByRole('button', { name: 'Decide' }).click();
    await dialog.getByRole('button', { name: 'Agree and continue' }).click();
    await expect(card(page)).toContainText('The dataset has no survival data.');
    await expect(plan(page)).toHaveCount(0);

    await page.getByRole('button', { name: 'Clear the question' }).click();
    await field(page).click();
    await expectAccessible(page, card(page));
    await card(page).getByRole('button', { name: 'Withdraw' }).click();
    await expect(card(page).getByText('You agreed')).toHaveCount(0);
  });
});

test('users of other plans learn what a question to the model takes', async ({ page }) => {
  await explore(page);
  await field(page).click();
  await expect(card(page)).toContainText('The assistant is available for Professional plan users only.');
  await expect(card(page).getByRole('radio', { name: 'Ask the model' })).toHaveCount(0);
});
