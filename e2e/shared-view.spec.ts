import { expect, type Page } from '@playwright/test';
import { becomeNewUser } from './support/accounts.ts';
import { explore, explorerAddress, notice, panel, viewer } from './support/explorer.ts';
import { test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

const views = ['obs-umap:My%20Leiden', 'gene-umap:CD3D', 'gene-umap:EPCAM', 'category-umap'];
const shared = `${explorerAddress}${views.map((view) => `&view=${encodeURIComponent(view)}`).join('')}`;
const cards = (page: Page) => viewer(page).getByRole('heading');
const scaleText = (page: Page) => viewer(page).getByText(/^-?[\d.]+ to [\d.]+, log-normalized$/);

test('a view with own labels draws all but their card for a colleague, and that one too once the labels are shared', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await explore(page);
  await panel(page, 'Annotations').click();
  await page.getByRole('button', { name: 'New annotation' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Groups' })).toBeVisible();
  await page.goto(shared);
  await expect(cards(page)).toHaveCount(4);
  await page.getByRole('switch', { name: /^Same scale/ }).click();
  const scale = await scaleText(page).textContent();
  await expect(page).toHaveURL(/scale=%5B%5B%22log-normalized/);

  const sharing = await beginWorkflow(page, 'Share a view with own labels');
  const copy = page.getByRole('button', { name: 'Copy link' });
  await copy.click();
  const question = page.getByRole('dialog', { name: 'Copy link' });
  await expect(question.getByRole('listitem')).toHaveText('My Leiden');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copyFrom = question.getByRole('button', { name: 'Copy link' });
  const withoutLabels = await sharing.aside(async () => {
    await copyFrom.click();
    await expect(notice(page, 'Copied to clipboard')).toBeVisible();
    return copied();
  });
  await question.getByRole('checkbox', { name: 'Share these labels with the link' }).click();
  await copyFrom.click();
  await expect.poll(copied).not.toBe(withoutLabels);
  const withLabels = await copied();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await sharing.end({ answer: notice(page, 'Copied to clipboard'), next: [copy] });

  const colleague = await (await browser.newContext()).newPage();
  await becomeNewUser(colleague);
  await colleague.goto(withoutLabels);
  await expect(colleague.getByRole('alert', { name: 'Cards missing from this view' })).toContainText(
    /My Leiden, .* is not drawn. "My Leiden" is an annotation of the link’s author that is not shared./,
  );
  await expect(cards(colleague)).toHaveCount(3);
  await expect(scaleText(colleague)).toHaveText(scale!);

  await colleague.goto(withLabels);
  await expect(cards(colleague)).toHaveCount(4);
  await expect(viewer(colleague).getByRole('heading', { name: /^My Leiden/ })).toBeVisible();
  await expect(scaleText(colleague)).toHaveText(scale!);
  // They are the colleague's now, without the link.
  await expect(colleague).not.toHaveURL(/link=/);
  await colleague.reload();
  await expect(cards(colleague)).toHaveCount(4);
  await expect(colleague.getByRole('alert', { name: 'Cards missing from this view' })).toHaveCount(0);
  await colleague.context().close();
});
