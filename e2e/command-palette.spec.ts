import { expect, type Page } from '@playwright/test';
import { explore, panel, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command Palette' });

async function run(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
}

test('genes, columns, panels and sizes of the viewer are found by Ctrl+K', async ({ page }) => {
  await explore(page);
  const drawing = await beginWorkflow(page, 'Draw a gene by the command palette');
  await run(page, 'epcam');
  await drawing.end({
    answer: viewer(page).getByRole('img', { name: 'EPCAM, Expression UMAP' }),
    next: [viewer(page).getByRole('button', { name: /^Download EPCAM/ })],
  });

  // A former symbol, which the server knows.
  await run(page, 'CD20');
  await expect(viewer(page).getByRole('img', { name: 'MS4A1, Expression UMAP' })).toBeVisible();

  await run(page, 'treatment');
  await expect(viewer(page).getByRole('button', { name: 'Color by: Treatment' })).toBeVisible();
  await run(page, 'density');
  await expect(page.getByRole('button', { name: 'Density' })).toHaveAttribute('aria-pressed', 'true');
  await run(page, 'marker analysis');
  await expect(page.getByRole('heading', { name: 'Marker Analysis' })).toBeVisible();
  await run(page, 'gene lists');
  await expect(panel(page, 'Gene Lists')).toHaveAttribute('aria-expanded', 'true');

  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option').first()).toHaveText(
    /^Gene Lists/,
  );
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);

  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeVisible();
  await expectAccessible(page);
});

test('up to twelve maps fill the viewer by choice, with their legends on demand', async ({ page }) => {
  await explore(page);
  await run(page, 'EPCAM, CD8A, CD4, MS4A1, NKG7, CD14');
  await expect(viewer(page).getByRole('application')).toHaveCount(4);
  await page.getByRole('combobox', { name: 'Maximum number of images' }).click();
  await page.getByRole('option', { name: 'Up to 9 images' }).click();
  await expect(viewer(page).getByRole('application')).toHaveCount(7);
  await page.getByRole('switch', { name: /^Same scale/ }).click();
  await expect(viewer(page).getByText(/^0 to [\d.]+, log-normalized$/)).toBeVisible();
  for (const gene of ['EPCAM', 'CD4', 'NKG7']) {
    await expect(
      viewer(page).getByRole('button', { name: new RegExp(`^Colors of ${gene}, .*: 0 to (≥ )?5\\.79$`) }),
    ).toBeVisible();
  }

  // Four and three cards: each row fills the width.
  const boxes = await Promise.all(
    (await viewer(page).getByRole('listitem').all()).map((card) => card.boundingBox()),
  );
  const right = Math.max(...boxes.map((box) => box!.x + box!.width));
  for (const place of [3, 6]) expect(boxes[place]!.x + boxes[place]!.width).toBeCloseTo(right, 0);

  // A closed legend has no entries to draw.
  await expect(page.getByRole('list', { name: 'Categories' })).toHaveCount(0);
  await viewer(page)
    .getByRole('button', { name: /^Colors of Cell types/ })
    .click();
  await page.getByRole('button', { name: /^T cell/ }).click();
  await expect(page.getByRole('button', { name: 'Show all 10' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await viewer(page)
    .getByRole('button', { name: /^Tools of EPCAM/ })
    .click();
  await page.getByRole('menuitem', { name: 'Hide from viewer' }).click();
  await expect(viewer(page).getByRole('application')).toHaveCount(6);
  await expect(page).not.toHaveURL(/EPCAM/);
  await page.reload();
  await expect(viewer(page).getByRole('application')).toHaveCount(6);
  await expect(page.getByRole('combobox', { name: 'Maximum number of images' })).toHaveText('Up to 9 images');
});
