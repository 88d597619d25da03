import { expect } from '@playwright/test';
import { explore, panel, select, viewer } from './support/explorer.ts';
import { test } from './support/test.ts';

test('two pasted lists are mended, become a dot plot with their names over it, and stay with the user; the markers of a group, and those of each group, become lists too', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Gene Lists').click();
  const paste = async (name: string, genes: string) => {
    await page.getByRole('button', { name: 'New gene list' }).click();
    const dialog = page.getByRole('dialog', { name: 'New gene list' });
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Genes', { exact: true }).fill(genes);
    return dialog;
  };
  const tCells = await paste('T cells', 'cd3d\nCD3E\tNOTAGENE;CD8');
  await expect(tCells.getByText('cd3d → CD3D, CD8 → CD8A.')).toBeVisible();
  await expect(tCells.getByText('1 not in this dataset: NOTAGENE.')).toBeVisible();
  await tCells.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByRole('button', { name: 'Edit T cells' })).toHaveText(/3 of 4 genes here/);
  const bCells = await paste('B cells', 'CD20, CD79A');
  await expect(bCells.getByText('CD20 → MS4A1.')).toBeVisible();
  await bCells.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByRole('button', { name: 'Edit B cells' })).toBeVisible();

  await panel(page, 'Figures by Group').click();
  await select(page, 'Figure', 'Dot plot');
  for (const name of ['T cells', 'B cells']) {
    await page.getByRole('button', { name: 'Gene lists: Genes of the figure' }).click();
    await page
      .getByRole('list', { name: 'Gene lists' })
      .getByRole('button', { name: new RegExp(`^${name} \\d`) })
      .click();
    await expect(page.getByText(new RegExp(`^${name}: \\d genes added`))).toBeVisible();
  }
  const drawn = page.waitForResponse(
    (response) => response.url().endsWith('/api/render-figure') && response.ok(),
  );
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  expect((await drawn).request().postDataJSON()).toMatchObject({
    source: {
      content: {
        kind: 'gene-dot-plot',
        genes: ['CD3D', 'CD3E', 'CD8A', 'MS4A1', 'CD79A'],
        brackets: [
          { name: 'T cells', count: 3 },
          { name: 'B cells', count: 2 },
        ],
      },
    },
  });
  await expect(viewer(page).getByRole('heading', { name: /^CD3D, CD3E, CD8A and 2 more/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit T cells' })).toBeVisible();

  await panel(page, 'Run Analysis').click();
  await select(page, 'Analysis Type', 'Marker Analysis');
  await select(page, 'Group By', /^Cell type/);
  await page.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('dialog', { name: 'Marker Analysis' });
  await result.getByRole('tab', { name: /^Full Table/ }).click();
  await result.getByRole('button', { name: 'Save as List' }).click();
  await page.getByRole('button', { name: /^One list for each of \d+ groups/ }).click();
  await expect(page.getByText('Gene Lists Saved')).toBeVisible();
  await result.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: /^B cell/ }).click();
  await result.getByRole('button', { name: 'Save as List' }).click();
  await expect(page.getByLabel(/^Save \d+ genes? as a list/)).toHaveValue('B cell markers (2)');
  await page.getByLabel('The first').fill('3');
  await page.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByText('B cell markers (2): 3 genes.')).toBeVisible();
});
