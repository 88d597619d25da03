import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { addGenes, explore, panel, select, viewer } from './support/explorer.ts';

const twoSentences = /^[^.]+(?:\.\d[^.]*)*\. [^.]+(?:\.\d[^.]*)*\.$/;

test('a figure is read from its card and in the large view by keyboard, and copied as a legend', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await explore(page);
  await panel(page, 'Figures by Group').click();
  await select(page, 'Figure', 'Dot plot');
  await addGenes(page, 'Genes of the figure', 'CD79A, CD3D, EPCAM');
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  const card = viewer(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: /CD79A/ }) });
  await expect(card.getByRole('img', { name: /The dots show 3 genes in \d+ groups by / })).toBeVisible();

  const read = card.getByRole('button', { name: /^Describe CD79A/ });
  await read.focus();
  await page.keyboard.press('Enter');
  const reading = page.getByRole('dialog', { name: /^Description of CD79A/ });
  const summaryText = (await reading.getByRole('paragraph').textContent())!;
  expect(summaryText).toMatch(twoSentences);
  await expectAccessible(page, reading);
  await reading.getByRole('button', { name: 'Copy description' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied to clipboard')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(summaryText);
  expect(copied).toMatch(/^Dot plot: 3 genes, /);
  await page.keyboard.press('Escape');
  await expect(reading).toHaveCount(0);
  await expect(read).toBeFocused();

  await card.getByRole('button', { name: /^Open CD79A.* large$/ }).press('Enter');
  const large = page.getByRole('dialog').getByRole('region', { name: 'Description' });
  await expect(large).toContainText(summaryText);
  // No notice lies over it: not that of the drawing from before, nor one from here.
  await expect(page.getByText('Figure Drawn')).toHaveCount(0);
  await large.getByRole('button', { name: 'Copy description' }).press('Enter');
  const notice = page.locator('[data-sonner-toast]').first();
  await expect(notice).toBeVisible();
  await expect
    .poll(async () => {
      const [below, above] = [await notice.boundingBox(), await large.boundingBox()];
      return above!.y + above!.height <= below!.y;
    })
    .toBe(true);
  await page.keyboard.press('PageDown');
  await expect(large).toContainText(/^The UMAP shows [\d,]+ cells, colored by /);
  await expectAccessible(page, large);
});
