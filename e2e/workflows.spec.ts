import { expect, type Locator, type Page } from '@playwright/test';
import { downloaded, linesOf, test } from './support/test.ts';
import { explore, notice, panel, select, viewer } from './support/explorer.ts';
import { becomeNewUser } from './support/accounts.ts';
import { placeOf } from './support/settled.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/**
 * Counts all mouse presses on the page since the last call; a drag does not count. Typed keys are free, including
 * Enter.
 */
async function counting(page: Page) {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  const watch = () => {
    let from: PointerEvent | undefined;
    window.addEventListener('pointerdown', (event) => (from = event), true);
    window.addEventListener(
      'pointerup',
      ({ clientX: x, clientY: y }) => {
        if (from === undefined || Math.hypot(x - from.clientX, y - from.clientY) > 6) return;
        (window as unknown as { countClick: () => void }).countClick();
      },
      true,
    );
  };
  // On the page that is open, and on those that it leads to.
  await page.addInitScript(watch);
  await page.evaluate(watch);
  const takeClicks = () => {
    const count = clicks;
    clicks = 0;
    return count;
  };
  return { click: (what: Locator): Promise<void> => what.click(), clicks: takeClicks };
}

async function choose(
  click: (what: Locator) => Promise<void>,
  list: Locator,
  option: string | RegExp,
): Promise<void> {
  await click(list);
  await click(list.page().getByRole('option', { name: option }));
}

async function drawInEachTreatment(
  page: Page,
  click: (what: Locator) => Promise<void>,
  gene: string,
): Promise<void> {
  await click(page.getByRole('checkbox', { name: 'Metadata', exact: true }));
  await click(page.getByRole('checkbox', { name: 'Treatment', exact: true }));
  await click(page.getByRole('checkbox', { name: 'A subset for each value' }));
  await click(page.getByRole('button', { name: 'Create Subset' }));
  await click(page.getByRole('button', { name: 'Plot genes in each' }));
  await expect(page.getByRole('combobox', { name: 'Search genes', exact: true })).toBeFocused();
  await page.keyboard.type(gene);
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
}

test('FOXP3 in regulatory T cells, treated against untreated, is a split violin ten clicks from the selector; a gene in two subsets side by side takes seven, and FOXP3 in T cells by treatment, on one scale, at most ten', async ({
  page,
}) => {
  await becomeNewUser(page);
  await page.goto('/dataset-selector');
  const { click, clicks } = await counting(page);
  await click(page.getByRole('button', { name: 'Breast Cancer' }));
  await click(page.getByRole('button', { name: 'Triple-negative (1 dataset)' }));
  await click(page.getByRole('link', { name: 'Explore Dataset' }));
  await click(page.getByRole('button', { name: 'Colour by: Cell Type' }));
  await click(page.getByRole('list', { name: 'Colour by' }).getByRole('button', { name: /^Cell State/ }));
  await click(page.getByRole('checkbox', { name: 'Select the cells of Regulatory T' }));
  await click(page.getByRole('button', { name: 'Keep only these' }));
  await expect(page.getByText(/^[\d,]+ of [\d,]+ cells active$/)).toBeVisible();
  await click(panel(page, 'Figures by Group'));
  await click(page.getByRole('button', { name: 'Split by Treatment', exact: true }));
  await expect(page.getByRole('button', { name: 'Split by: Treatment' })).toBeVisible();
  const renderResponse = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/render-figure') &&
      (response.request().postData() ?? '').includes('"kind":"violin"') &&
      response.ok(),
  );
  await click(page.getByRole('combobox', { name: 'Genes of the figure' }));
  await page.keyboard.type('FOXP3');
  await page.keyboard.press('Enter');
  // In the empty box it draws.
  await page.keyboard.press('Enter');
  const { source } = (await renderResponse).request().postDataJSON();
  expect(source).toMatchObject({
    content: {
      kind: 'violin',
      of: { gene: 'FOXP3' },
      split: { column: expect.stringMatching(/treatment/i) },
    },
    subset: expect.objectContaining({ cells_filter: true, subset_group_name: 'Regulatory T' }),
  });
  await expect(viewer(page).getByRole('heading', { name: /^FOXP3.*split by.*Regulatory T/ })).toBeVisible();
  expect(clicks()).toBe(10);

  // As in a dataset that was just opened.
  await panel(page, 'Figures by Group').click();
  await select(page, 'Cell subset', /^Global/);
  clicks();
  await click(panel(page, 'Manage Cell Subsets'));
  await drawInEachTreatment(page, click, 'CD8A');
  await expect(viewer(page).getByRole('heading', { name: /^CD8A/ })).toHaveCount(2);
  expect(clicks()).toBe(7);

  await page.getByRole('button', { name: 'Remove CD8A' }).click();
  await panel(page, 'Manage Cell Subsets').click();
  await select(page, 'Cell subset', /^Global/);
  clicks();
  await click(panel(page, 'Manage Cell Subsets'));
  await click(page.getByRole('checkbox', { name: 'Cell Type', exact: true }));
  const types = page.getByRole('group', { name: 'Cell types to keep' });
  await click(types.getByRole('checkbox', { name: /^T cell/ }));
  await drawInEachTreatment(page, click, 'FOXP3');
  await expect(viewer(page).getByRole('heading', { name: /^FOXP3.*UMAP/ })).toHaveCount(2);
  await click(page.getByRole('switch', { name: /^Same scale/ }));
  await expect(viewer(page).getByText(/^0 to [\d.]+, log-normalised$/)).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(10);
});

test('clusters are merged, renamed and put in order, and a dot plot follows, after sixteen clicks and a drag', async ({
  page,
}) => {
  await explore(page);
  const { click, clicks } = await counting(page);
  await click(panel(page, 'Annotations'));
  await click(page.getByRole('button', { name: 'New annotation' }));
  await click(page.getByRole('button', { name: /^Begin with/ }));
  await click(page.getByRole('list', { name: 'Begin with' }).getByRole('button', { name: /^Leiden/ }));
  await click(page.getByRole('button', { name: 'Create', exact: true }));
  const groups = page.getByRole('list', { name: 'Groups' });
  await click(groups.getByRole('checkbox', { name: 'Choose 0', exact: true }));
  await click(groups.getByRole('checkbox', { name: 'Choose 2', exact: true }));
  await click(page.getByRole('textbox', { name: 'Merge 2 groups into' }));
  await page.keyboard.type('Lymphocytes');
  await page.keyboard.press('Enter');
  await click(groups.getByRole('textbox', { name: 'Name of 1', exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Tumour');
  await page.keyboard.press('Enter');
  const handle = groups.getByRole('button', { name: 'Move Tumour', exact: true });
  await expect(handle).toBeEnabled();
  const target = await placeOf(groups.getByRole('button', { name: 'Move Lymphocytes', exact: true }));
  await handle.hover();
  await page.mouse.down();
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 8 });
  // A busy page takes note of where the entry is after it was moved.
  await expect(page.getByText(/Tumour picked up, over place 1 of \d+\./)).toBeAttached();
  await page.mouse.up();
  const names = groups.getByRole('textbox', { name: /^Name of/ });
  await expect(names.nth(0)).toHaveValue('Tumour');
  await expect(names.nth(1)).toHaveValue('Lymphocytes');
  await click(panel(page, 'Figures by Group'));
  await choose(click, page.getByRole('combobox', { name: 'Figure', exact: true }), 'Dot plot');
  await click(page.getByRole('combobox', { name: 'Genes of the figure' }));
  await page.keyboard.type('CD3D, EPCAM');
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: /^Group by: / }));
  await click(page.getByRole('list', { name: 'Group by' }).getByRole('button', { name: /^My Leiden/ }));
  const renderResponse = page.waitForResponse(
    (response) => response.url().endsWith('/api/render-figure') && response.ok(),
  );
  await click(page.getByRole('button', { name: 'Draw Figure' }));
  // Of the labels as they are now, whatever becomes of them.
  expect((await renderResponse).request().postDataJSON()).toMatchObject({
    source: { content: { by: { column: 'My Leiden' } }, annotations: [{ name: 'My Leiden', revision: 4 }] },
  });
  await expect(viewer(page).getByRole('heading', { name: /^CD3D, EPCAM/ })).toBeVisible();
  expect(clicks()).toBe(16);
  const undone = page.waitForResponse(
    (response) => response.url().includes('/annotations') && response.request().method() !== 'GET',
  );
  await page.getByRole('button', { name: /^Undo: Changed the order/ }).click();
  await expect(names.nth(0)).toHaveValue('Lymphocytes');
  expect((await undone).ok()).toBe(true);
});

test('the score of a signature takes five clicks, a stacked violin of six genes five, the enrichment of a pasted list five, markers as CSV ten, four genes on one scale three, cells with their metadata two, the dataset as .h5ad three and a link to the view for a colleague one', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await explore(page);
  const { click, clicks } = await counting(page);
  await click(panel(page, 'Signature Visualization'));
  await click(page.getByRole('combobox', { name: 'Signature genes' }));
  await page.keyboard.insertText('CD3D, CD3E, CD2');
  await page.keyboard.press('Enter');
  await click(page.getByLabel('Signature Name'));
  await page.keyboard.type('T cell core');
  await click(page.getByLabel('Generate Expression by Cell Type Violin Plot').last());
  await click(page.getByRole('button', { name: 'Score Signature (3)' }));
  await expect(
    viewer(page).getByRole('heading', { name: /^T cell core.*Signature score by cell type/ }),
  ).toBeVisible();
  expect(clicks()).toBe(5);

  await click(panel(page, 'Figures by Group'));
  await choose(click, page.getByRole('combobox', { name: 'Figure', exact: true }), 'Stacked violin');
  await click(page.getByRole('combobox', { name: 'Genes of the figure' }));
  await page.keyboard.insertText('CD3D, CST3, NKG7, MS4A1, LYZ, EPCAM');
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Draw Figure' }));
  await expect(viewer(page).getByRole('heading', { name: /and 3 more/ })).toBeVisible();
  expect(clicks()).toBe(5);

  await click(panel(page, 'Run Analysis'));
  await choose(click, page.getByRole('combobox', { name: 'Analysis Type' }), 'Gene Set Enrichment Analysis');
  await click(page.getByRole('textbox', { name: 'Genes', exact: true }));
  await page.keyboard.insertText('CD3D\nCD3E\nCD2\nCD8A\nGZMB\nPRF1\nNKG7\nLCK');
  await click(page.locator('form').getByRole('button', { name: 'Run Analysis' }));
  const enrichment = page.getByRole('dialog', { name: 'Gene Set Enrichment Analysis' });
  await expect(enrichment.getByRole('tab', { name: /^Full Table \([1-9]/ })).toBeVisible();
  expect(clicks()).toBe(5);
  await page.keyboard.press('Escape');
  await expect(enrichment).toBeHidden();

  await choose(click, page.getByRole('combobox', { name: 'Analysis Type' }), 'Marker Analysis');
  await choose(click, page.getByRole('combobox', { name: 'Group By' }), /^Cluster/);
  await click(page.locator('form').getByRole('button', { name: 'Run Analysis' }));
  const markers = page.getByRole('dialog', { name: 'Marker Analysis' });
  await click(markers.getByRole('tab', { name: /^Full Table/ }));
  await choose(click, markers.getByRole('combobox', { name: 'Group' }), /^3\b/);
  const csv = await downloaded(page, () => click(markers.getByRole('button', { name: 'Download CSV' })));
  const [, ...rows] = linesOf(csv.bytes);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => !row.startsWith('3,'))).toEqual([]);
  // Of ten the first, which opens the panel, was made for the enrichment.
  expect(clicks()).toBe(9);
  await page.keyboard.press('Escape');
  await expect(markers).toBeHidden();

  await click(page.getByRole('combobox', { name: 'Search genes', exact: true }));
  await page.keyboard.type('CD3D, CD8A, CD4, GZMB');
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Visualize Selected Genes (4)' }));
  await expect(viewer(page).getByRole('heading', { name: /Expression UMAP/ })).toHaveCount(4);
  await click(page.getByRole('switch', { name: /^Same scale/ }));
  await expect(viewer(page).getByText(/^0 to [\d.]+, log-normalised$/)).toBeVisible();
  expect(clicks()).toBe(3);
  await click(panel(page, 'Export Cells'));
  const file = await downloaded(page, () => click(page.getByRole('button', { name: /^Export/ }).last()));
  expect(file.bytes.toString()).toMatch(/^(#[^\n]*\n)+barcode,/);
  expect(clicks()).toBe(2);
  await click(page.getByRole('radio', { name: /\.h5ad/ }));
  await expect(page.getByText(/ cells as \.h5ad, roughly /)).toBeVisible();
  const dataset = await downloaded(page, () => click(page.getByRole('button', { name: 'Download .h5ad' })));
  expect(dataset.bytes.subarray(1, 4).toString()).toBe('HDF');
  // Of three the first, which opens the panel, was made for the table.
  expect(clicks()).toBe(2);

  await click(page.getByRole('button', { name: 'Copy link' }));
  await expect(notice(page, 'Copied to clipboard')).toBeVisible();
  expect(clicks()).toBe(1);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const colleague = await (await browser.newContext()).newPage();
  await becomeNewUser(colleague);
  await colleague.goto(link);
  await expect(viewer(colleague).getByRole('heading', { name: /^CD3D/ })).toBeVisible();
  await colleague.context().close();
});
