import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { downloaded, linesOf, test, placeOf } from './support/test.ts';
import {
  closeResult,
  downloadedTable,
  explore,
  notice,
  panel,
  pickAnalysis,
  select,
  viewer,
} from './support/explorer.ts';
import { becomeNewUser } from './support/accounts.ts';
import { beginWorkflow, workflows } from './support/workflow.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

async function choose(list: Locator, option: string | RegExp): Promise<void> {
  await list.click();
  await list.page().getByRole('option', { name: option }).click();
}

async function drawInEachTreatment(page: Page, gene: string): Promise<void> {
  await page.getByRole('checkbox', { name: 'Metadata', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Treatment', exact: true }).click();
  await page.getByRole('checkbox', { name: 'A subset for each value' }).click();
  await page.getByRole('button', { name: 'Create Subset' }).click();
  await page.getByRole('button', { name: 'Plot genes in each' }).click();
  await expect(page.getByRole('combobox', { name: 'Search genes', exact: true })).toBeFocused();
  await page.keyboard.type(gene);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
}

test('each workflow that the documentation counts is walked by one test', async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.spec.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')));
  const walked = texts.join('\n').matchAll(/beginWorkflow\(\s*page,\s*'([^']+)'/g);
  expect(Array.from(walked, ([, name]) => name).sort()).toEqual([...workflows.keys()].sort());
});

test('a gene in one cell state, treated against untreated, is a split violin; a gene is drawn in each treatment', async ({
  page,
}) => {
  await becomeNewUser(page);
  await page.goto('/dataset-selector');
  await page.getByRole('button', { name: 'Breast Cancer' }).click();
  await page.getByRole('button', { name: 'Triple-negative (1 dataset)' }).click();
  await page.getByRole('link', { name: 'Explore Dataset' }).click();
  await expect(page.getByText(/^[\d,]+ cells active$/)).toBeVisible();
  const violin = await beginWorkflow(page, 'Split a violin');
  await page.getByRole('button', { name: 'Color by: Cell Type' }).click();
  await page
    .getByRole('list', { name: 'Color by' })
    .getByRole('button', { name: /^Cell State/ })
    .click();
  await page.getByRole('checkbox', { name: 'Select the cells of Regulatory T' }).click();
  await page.getByRole('button', { name: 'Keep only these' }).click();
  await expect(page.getByText(/^[\d,]+ of [\d,]+ cells active$/)).toBeVisible();
  // In place: no card is added, and the default map stays.
  await expect(
    viewer(page)
      .getByRole('status')
      .filter({ hasText: /^All maps show [\d,]+ of [\d,]+ cells$/ }),
  ).toBeVisible();
  await expect(viewer(page).getByRole('heading')).toHaveCount(1);
  await panel(page, 'Figures by Group').click();
  await page.getByRole('button', { name: 'Split by Treatment', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Split by: Treatment' })).toBeVisible();
  const renderResponse = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/render-figure') &&
      (response.request().postData() ?? '').includes('"kind":"violin"') &&
      response.ok(),
  );
  await page.getByRole('combobox', { name: 'Genes of the figure' }).click();
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
  await violin.end({
    answer: viewer(page).getByRole('heading', { name: /^FOXP3.*split by/ }),
    next: [viewer(page).getByRole('button', { name: /^Download FOXP3/ })],
  });

  // As in a dataset that was just opened.
  await panel(page, 'Figures by Group').click();
  await select(page, 'Cell subset', /^Global/);
  const each = await beginWorkflow(page, 'Draw a gene in each treatment');
  await panel(page, 'Manage Cell Subsets').click();
  await drawInEachTreatment(page, 'CD8A');
  await expect(viewer(page).getByRole('heading', { name: /^CD8A/ })).toHaveCount(2);
  await each.end({
    answer: viewer(page).getByRole('heading', { name: /^CD8A/ }),
    next: [page.getByRole('switch', { name: /^Same scale/ })],
  });
});

test('a gene is drawn in the cells of a type, split by treatment on one scale', async ({ page }) => {
  await explore(page);
  const drawing = await beginWorkflow(page, 'Draw a gene in a type by treatment');
  await typeGenes(page, 'Search genes', 'FOXP3');
  await page.keyboard.press('Enter');
  const map = viewer(page).getByRole('group', { name: /^Map of FOXP3/ });
  await map.getByRole('button', { name: 'Split map' }).click();
  await page.getByRole('button', { name: 'Treatment 2 categories' }).click();
  await expect(map.getByRole('application')).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select the cells of T cell' }).click();
  await page.getByRole('button', { name: 'Keep only these' }).click();
  await expect(viewer(page).getByText(/^All maps show 1,508 of [\d,]+ cells$/)).toBeVisible();
  await drawing.end({
    answer: map.getByRole('application'),
    next: [viewer(page).getByRole('button', { name: /^Download FOXP3/ })],
  });
});

test('clusters are merged, renamed and put in order, and a dot plot follows', async ({ page }) => {
  await explore(page);
  const annotating = await beginWorkflow(page, 'Annotate by hand');
  await panel(page, 'Annotations').click();
  await page.getByRole('button', { name: 'New annotation' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const groups = page.getByRole('list', { name: 'Groups' });
  const undo = page.getByRole('button', { name: /^Undo: Changed the order/ });
  await groups.getByRole('checkbox', { name: 'Choose 0', exact: true }).click();
  await groups.getByRole('checkbox', { name: 'Choose 2', exact: true }).click();
  await page.getByRole('textbox', { name: 'Merge 2 groups into' }).click();
  await page.keyboard.type('Lymphocytes');
  await page.keyboard.press('Enter');
  await groups.getByRole('textbox', { name: 'Name of 1', exact: true }).click();
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
  await annotating.end({ answer: names.first(), next: [undo] });
  const drawing = await beginWorkflow(page, 'Draw own labels');
  await panel(page, 'Figures by Group').click();
  await choose(page.getByRole('combobox', { name: 'Figure', exact: true }), 'Dot plot');
  await page.getByRole('combobox', { name: 'Genes of the figure' }).click();
  await page.keyboard.type('CD3D, EPCAM');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Group by: / }).click();
  await page
    .getByRole('list', { name: 'Group by' })
    .getByRole('button', { name: /^My Leiden/ })
    .click();
  const renderResponse = page.waitForResponse(
    (response) => response.url().endsWith('/api/render-figure') && response.ok(),
  );
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  // The labels as they are now, whatever becomes of them.
  expect((await renderResponse).request().postDataJSON()).toMatchObject({
    source: { content: { by: { column: 'My Leiden' } }, annotations: [{ name: 'My Leiden', revision: 4 }] },
  });
  await drawing.end({
    answer: viewer(page).getByRole('heading', { name: /^CD3D, EPCAM/ }),
    next: [viewer(page).getByRole('button', { name: /^Download CD3D/ })],
  });
  await panel(page, 'Annotations').click();
  const undone = page.waitForResponse(
    (response) => response.url().includes('/annotations') && response.request().method() !== 'GET',
  );
  await undo.click();
  await expect(names.nth(0)).toHaveValue('Lymphocytes');
  expect((await undone).ok()).toBe(true);
});

test('a gene, a signature, six genes as a stacked violin, the sets that a pasted list is enriched in, markers as a figure and as CSV, four genes on one scale, files of the cells and of a map, and a link to the view for a colleague', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await explore(page);
  await drawGene(page);
  await scoreSignature(page);
  await stackViolins(page);
  await findMarkers(page);
  await panel(page, 'Run Analysis').first().click();
  await enrichList(page);
  await panel(page, 'Gene Visualization').click();
  await drawOnOneScale(page);
  await exportFiles(page);
  const sharing = await beginWorkflow(page, 'Share a view');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await sharing.end({
    answer: notice(page, 'Copied to clipboard'),
    next: [page.getByRole('button', { name: 'Copy link' })],
  });
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const colleague = await (await browser.newContext()).newPage();
  await becomeNewUser(colleague);
  await colleague.goto(link);
  await expect(viewer(colleague).getByRole('heading', { name: /^CD3D/ })).toBeVisible();
  await colleague.context().close();
});

async function typeGenes(page: Page, box: string, genes: string): Promise<void> {
  await page.getByRole('combobox', { name: box, exact: true }).click();
  await page.keyboard.insertText(genes);
  await page.keyboard.press('Enter');
}

async function drawGene(page: Page): Promise<void> {
  const drawing = await beginWorkflow(page, 'Draw a gene');
  await typeGenes(page, 'Search genes', 'EPCAM');
  await page.keyboard.press('Enter');
  await drawing.end({
    answer: viewer(page).getByRole('img', { name: 'EPCAM, Expression UMAP' }),
    next: [
      viewer(page).getByRole('slider', { name: 'Upper end of the colors' }),
      viewer(page).getByRole('button', { name: /^Download EPCAM/ }),
    ],
  });
  await page.getByRole('button', { name: 'Remove EPCAM' }).click();
}

async function scoreSignature(page: Page): Promise<void> {
  const scoring = await beginWorkflow(page, 'Score a signature');
  await panel(page, 'Signature Visualization').click();
  await typeGenes(page, 'Signature genes', 'CD3D, CD3E, CD2');
  await page.getByLabel('Signature Name').click();
  await page.keyboard.type('T cell core');
  await page.getByLabel('Generate Expression by Cell Type Violin Plot').last().click();
  await page.getByRole('button', { name: 'Score Signature (3)' }).click();
  await expect(
    viewer(page).getByRole('heading', { name: /^T cell core.*Signature score UMAP/ }),
  ).toBeVisible();
  await scoring.end({
    answer: viewer(page).getByRole('heading', { name: /^T cell core.*Signature score by cell type/ }),
    next: [viewer(page).getByRole('button', { name: /^Download T cell core/ })],
  });
}

async function stackViolins(page: Page): Promise<void> {
  const stacking = await beginWorkflow(page, 'Stack violins');
  await panel(page, 'Figures by Group').click();
  await choose(page.getByRole('combobox', { name: 'Figure', exact: true }), 'Stacked violin');
  await typeGenes(page, 'Genes of the figure', 'CD3D, CST3, NKG7, MS4A1, LYZ, EPCAM');
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  await stacking.end({
    answer: viewer(page).getByRole('heading', { name: /and 3 more/ }),
    next: [viewer(page).getByRole('button', { name: /^Download CD3D, / })],
  });
}

const runButton = (page: Page) => page.locator('form').getByRole('button', { name: 'Run Analysis' });

async function enrichList(page: Page): Promise<void> {
  const enriching = await beginWorkflow(page, 'Enrich a pasted list');
  await panel(page, 'Run Analysis').click();
  await pickAnalysis(page, 'Gene Set Enrichment Analysis');
  await page.getByRole('textbox', { name: 'Genes', exact: true }).click();
  await page.keyboard.insertText('CD3D\nCD3E\nCD2\nCD8A\nGZMB\nPRF1\nNKG7\nLCK');
  await runButton(page).click();
  const enrichment = page.getByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
  await enriching.end({
    answer: enrichment.getByRole('tab', { name: /^Full Table \([1-9]/ }),
    next: [enrichment.getByRole('button', { name: 'Download', exact: true })],
  });
  await closeResult(page, 'Gene Set Enrichment Analysis');
}

async function findMarkers(page: Page): Promise<void> {
  const finding = await beginWorkflow(page, 'Find markers');
  await panel(page, 'Run Analysis').click();
  await pickAnalysis(page, 'Marker Analysis');
  await runButton(page).click();
  const markers = page.getByRole('tabpanel', { name: 'Marker Analysis' });
  await expect(markers.getByRole('img', { name: /Dot plot/ })).toBeVisible();
  await markers.getByRole('tab', { name: /^Full Table/ }).click();
  await choose(markers.getByRole('combobox', { name: 'Group' }), /^B cell/);
  const csv = await downloadedTable(page, markers);
  const [, ...rows] = linesOf(csv.bytes);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => !row.startsWith('B cell,'))).toEqual([]);
  await finding.end({
    answer: markers.getByRole('table', { name: 'Marker Analysis' }),
    next: [
      markers.getByRole('button', { name: /^Enrich \d+ Genes$/ }),
      markers.getByRole('button', { name: /^Visualize (First 4 of )?\d+ Genes$/ }),
    ],
  });
  await closeResult(page, 'Marker Analysis');
}

async function drawOnOneScale(page: Page): Promise<void> {
  const drawing = await beginWorkflow(page, 'Draw genes on one scale');
  await typeGenes(page, 'Search genes', 'CD3D, CD8A, CD4, GZMB');
  await page.getByRole('button', { name: 'Visualize Selected Genes (4)' }).click();
  await expect(viewer(page).getByRole('heading', { name: /Expression UMAP/ })).toHaveCount(4);
  await page.getByRole('switch', { name: /^Same scale/ }).click();
  await drawing.end({
    answer: viewer(page).getByText(/^0 to [\d.]+, log-normalized$/),
    next: [viewer(page).getByRole('button', { name: /^Download CD3D/ })],
  });
}

async function exportFiles(page: Page): Promise<void> {
  const saving = await beginWorkflow(page, 'Save a figure');
  await viewer(page)
    .getByRole('button', { name: /^Download CD3D/ })
    .click();
  const figure = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
  expect(figure.bytes.toString()).toMatch(/^<svg[^]*CD3D/);
  await saving.end({
    answer: viewer(page).getByRole('heading', { name: /^CD3D/ }),
    next: [viewer(page).getByRole('button', { name: /^Download CD3D/ })],
  });

  const exporting = await beginWorkflow(page, 'Export cells');
  await panel(page, 'Export Cells').click();
  const button = page.getByRole('button', { name: /^Export/ }).last();
  const file = await downloaded(page, () => button.click());
  expect(file.bytes.toString()).toMatch(/^(#[^\n]*\n)+barcode,/);
  await exporting.end({ answer: button, next: [button] });

  const whole = await beginWorkflow(page, 'Export the dataset');
  await page.getByRole('radio', { name: /\.h5ad/ }).click();
  const size = page.getByText(/ cells as \.h5ad, roughly /);
  await expect(size).toBeVisible();
  const dataset = await downloaded(page, () => page.getByRole('button', { name: 'Download .h5ad' }).click());
  expect(dataset.bytes.subarray(1, 4).toString()).toBe('HDF');
  await whole.end({ answer: size, next: [page.getByRole('button', { name: 'Download .h5ad' })] });
}

test('cells of a lasso, a group of the legend and a new subset are compared with the rest, each up to its volcano plot, and a gene of the result is drawn', async ({
  page,
}) => {
  await explore(page);
  const map = viewer(page).getByRole('application').first();
  const selection = page.getByRole('region', { name: 'Selection' });
  const result = page.getByRole('tabpanel', { name: 'DEG Analysis' });
  const toVolcano = async () => {
    await selection.getByRole('button', { name: 'Compare with the rest' }).click();
    await runButton(page).click();
    await result.getByRole('tab', { name: 'Plots' }).click();
    return {
      answer: result.getByRole('group', { name: /^Volcano Plot of .* against / }),
      next: [
        result.getByRole('button', { name: 'Ranked enrichment (GSEA)' }),
        result.getByRole('button', { name: 'Download', exact: true }),
      ],
    };
  };
  const afresh = async () => {
    await closeResult(page, 'DEG Analysis');
    await panel(page, 'Run Analysis').first().click();
    await selection.getByRole('button', { name: 'Clear the selection' }).click();
  };

  const withLasso = await beginWorkflow(page, 'Compare a lasso');
  await page.getByRole('button', { name: /^Select with a lasso/ }).click();
  const { x, y, width, height } = await placeOf(map);
  const corner = (right: number, down: number) => [x + right * width, y + down * height] as const;
  await page.mouse.move(...corner(0.52, 0.6));
  await page.mouse.down();
  for (const at of [corner(0.98, 0.6), corner(0.98, 0.99), corner(0.52, 0.99)])
    await page.mouse.move(...at, { steps: 4 });
  await page.mouse.up();
  await withLasso.end(await toVolcano());
  await expect(result).toContainText(
    /cells selected on a map, which is made from the expression that is tested/,
  );
  await afresh();

  const withGroup = await beginWorkflow(page, 'Compare a group');
  await page.getByRole('checkbox', { name: 'Select the cells of B cell' }).click();
  await withGroup.end(await toVolcano());
  await afresh();

  await page.getByRole('checkbox', { name: 'Select the cells of Mast' }).click();
  const withSubset = await beginWorkflow(page, 'Compare a subset');
  await selection.getByRole('button', { name: 'Save as subset' }).click();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The active cells have not changed.', { exact: false })).toBeVisible();
  await withSubset.end(await toVolcano());

  const drawing = await beginWorkflow(page, 'Draw a gene of a result');
  await result.getByRole('tab', { name: /^Full Table/ }).click();
  await result
    .getByRole('button', { name: /^Visualize [A-Z0-9-]+$/ })
    .first()
    .click();
  await expect(page.getByText(/^1 image for /)).toBeVisible();
  await drawing.end({
    answer: viewer(page).getByRole('img', { name: /Expression UMAP/ }),
    next: [page.getByRole('button', { name: /^View results: DEG Analysis/ })],
  });
});
