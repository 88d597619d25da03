import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listExtensions } from '@cellfolio/contract';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/page-checks.ts';
import { addGenes, panel, select, viewer } from './support/explorer.ts';
import { realDataset, shared } from './support/start-server.ts';
import { expect, skipLoudly, test } from './support/test.ts';
import { deleteFile, fileRow, given, openUploads, upload } from './support/upload-page.ts';

const mouseBrain = join(shared, 'data', 'mouse_brain_10k_mtx');

/** Sees the gene in the explorer that is open. */
async function showGene(page: Page, symbol: string): Promise<void> {
  await addGenes(page, 'Search genes', symbol);
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(
    viewer(page)
      .getByRole('img', { name: new RegExp(symbol) })
      .first(),
  ).toBeVisible();
}

// One after the other: a dataset is built at a time, so that tests side by side would wait for one another.
test.describe.configure({ mode: 'default' });

test('what cannot be read or does not fit is refused in words', async ({ page }) => {
  const mark = randomBytes(4).toString('hex');
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await openUploads(page);
  await page
    .getByLabel('Choose files')
    .setInputFiles([
      given('cells.xlsx', 'a'),
      given('empty.tsv', ''),
      given('picture.h5ad', picture),
      given('picture.mtx', picture),
    ]);
  await expect(page.getByText(`Only ${listExtensions('and')} files can be uploaded.`)).toBeVisible();
  await expect(page.getByText('The file is empty.', { exact: false })).toBeVisible();
  await expect(page.getByText('This is not an AnnData file', { exact: false })).toBeVisible();
  await expect(page.getByText('This is not a text file, as .mtx files are.')).toBeVisible();

  // What only the inspection sees.
  await upload(
    page,
    given(`cut ${mark}.h5ad`, Buffer.concat([Buffer.from('894844460d0a1a0a', 'hex'), Buffer.alloc(400)])),
    given(`m ${mark}.mtx`, '%%MatrixMarket matrix coordinate integer general\n3 2 1\n1 1 5\n'),
    given(`b ${mark}.tsv`, 'AAACCTGA-1\nAAACCTGC-1\nAAACCTGG-1\nAAACCTGT-1\nAAACCTGN-1\n'),
    given(`f ${mark}.tsv`, 'CD79A\nCST3\nCD3D\n'),
  );
  await expect(fileRow(page, `f ${mark}.tsv`)).toContainText('3 lines');
  await expect(fileRow(page, `cut ${mark}.h5ad`)).toContainText('the file could not be opened');
  for (const name of ['m', 'b', 'f']) {
    await page.getByRole('checkbox', { name: `Select ${name} ${mark}` }).check();
  }
  await expect(page.getByText(`m ${mark}.mtx is 3 × 2, but`, { exact: false })).toContainText(
    `b ${mark}.tsv has 5 lines`,
  );
  await expect(page.getByRole('button', { name: 'Convert to H5AD' })).toBeDisabled();
  await expectAccessible(page);
  for (const name of [`cut ${mark}.h5ad`, `m ${mark}.mtx`, `b ${mark}.tsv`, `f ${mark}.tsv`]) {
    await deleteFile(page, fileRow(page, name));
  }
});

test('an AnnData file is inspected, explored with what it holds, and goes with its dataset', async ({
  page,
  context,
}) => {
  skipLoudly(!existsSync(realDataset), `${realDataset} is absent`);
  const name = `pbmc ${randomBytes(4).toString('hex')}.h5ad`;
  await openUploads(page);
  await upload(page, given(name, await readFile(realDataset)));
  const row = fileRow(page, name);
  await expect(row).toContainText('700 cells × 765 genes');
  await row.getByRole('button', { name: /^Details/ }).click();
  await expect(row.getByText('bulk_labels', { exact: false }).first()).toBeVisible();
  await expectAccessible(page, row);
  await row.getByRole('link', { name: /^Explore/ }).click();
  await expect(viewer(page).getByRole('img').first()).toBeVisible();
  await showGene(page, 'CD79A');
  const address = page.url();

  await page.goto('/upload-data');
  await deleteFile(page, row);
  // A call that is refused is an error in the console, so not the page that allows none.
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByRole('heading', { name: 'Dataset Loading Failed' })).toBeVisible();
  await other.close();
});

/** Sixty cells of two types, whose antibody against CD3 has ten times the counts in the first. */
async function citeSeqFile(): Promise<Buffer> {
  const cells = 60;
  const features = [
    'CD3E',
    'CD19',
    ...Array.from({ length: 28 }, (_, gene) => `GENE${gene}`),
    'CD3',
    'IgG1_control',
  ];
  const categorical = (values: string[]) => ({
    kind: 'categorical' as const,
    categories: [...new Set(values)],
    codes: Int32Array.from(values, (value) => [...new Set(values)].indexOf(value)),
    categoryType: 'string' as const,
    ordered: false,
  });
  const isFirst = (cell: number) => cell < cells / 2;
  const counts = Float32Array.from({ length: cells * features.length }, (_, at) => {
    const [cell, feature] = [Math.floor(at / features.length), at % features.length];
    if (feature >= 30) return (feature === 30 && isFirst(cell) ? 200 : 20) + ((cell * 7) % 13);
    return (cell + feature) % 3 === 0 ? 1 + ((cell * feature) % 5) : 0;
  });
  const table = (names: string[], columns: [string, ReturnType<typeof categorical>][]) => ({
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: new Map(columns),
  });
  const folder = await mkdtemp(join(tmpdir(), 'cite-seq-'));
  const path = join(folder, 'file.h5ad');
  const names = Array.from({ length: cells }, (_, cell) => `cell-${cell}`);
  await writeH5ad(path, {
    obs: table(names, [
      ['cell_type', categorical(names.map((_, cell) => (isFirst(cell) ? 'T cell' : 'B cell')))],
    ]),
    var: table(features, [
      [
        'feature_types',
        categorical(features.map((_, at) => (at < 30 ? 'Gene Expression' : 'Antibody Capture'))),
      ],
    ]),
    obsm: [
      {
        name: 'X_umap',
        dimensions: 2,
        values: Float32Array.from({ length: 2 * cells }, (_, at) => Math.sin(at)),
      },
    ],
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: counts }] },
  });
  const content = await readFile(path);
  await rm(folder, { recursive: true });
  return content;
}

test('proteins of a CITE-seq file colour the map and are drawn by group', async ({ page }) => {
  const name = `cite ${randomBytes(4).toString('hex')}.h5ad`;
  await openUploads(page);
  await upload(page, given(name, await citeSeqFile()));
  const row = fileRow(page, name);
  await expect(row).toContainText('60 cells × 30 genes');
  await row.getByRole('button', { name: /^Details/ }).click();
  await expect(row).toContainText('2 proteins are kept as a second modality (CD3, IgG1_control)');
  await row.getByRole('link', { name: /^Explore/ }).click({ timeout: 30_000 });

  await page.getByRole('button', { name: 'Colour by: Cell Type' }).click();
  const columns = page.getByRole('list', { name: 'Colour by' });
  await expect(columns.getByText('Proteins', { exact: true })).toBeVisible();
  await expect(
    columns.getByRole('button', { name: /^IgG1_control \(protein, isotype control\)/ }),
  ).toBeVisible();
  await columns.getByRole('button', { name: /^CD3 \(protein\)/ }).click();
  await expect(viewer(page).getByRole('heading', { name: /CD3 \(protein\)/ })).toBeVisible();
  await expect(viewer(page).getByText('centred log ratio (CLR)').first()).toBeVisible();
  await expectAccessible(page, viewer(page));

  await panel(page, 'Figures by Group').click();
  await select(page, 'Measure', 'Column of numbers');
  await page.getByRole('button', { name: 'Column: Choose a column' }).click();
  await page
    .getByRole('list', { name: 'Column' })
    .getByRole('button', { name: /^CD3 \(protein\)/ })
    .click();
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  await expect(viewer(page).getByRole('heading', { name: /^CD3 \(protein\).*Violin/ })).toBeVisible();

  await page.goto('/upload-data');
  await deleteFile(page, row);
});

test('three files of a matrix are converted, computed and explored', async ({ page }) => {
  skipLoudly(!existsSync(mouseBrain), `${mouseBrain} is absent`);
  // Half a minute where nothing else runs; the processing shares the machine with everything else.
  test.setTimeout(400_000);
  const mark = randomBytes(4).toString('hex');
  const [matrix, barcodes, features] = await Promise.all(
    ['matrix.mtx', 'barcodes.tsv', 'features.tsv'].map(async (name) =>
      given(name.replace('.', ` ${mark}.`), await readFile(join(mouseBrain, name))),
    ),
  );
  await openUploads(page);
  const begun = performance.now();
  await upload(page, matrix!, barcodes!, features!);
  await expect(fileRow(page, `matrix ${mark}.mtx`)).toContainText('.mtx 1,000 × 10,000, 691,914 entries');
  await expect(fileRow(page, `barcodes ${mark}.tsv`)).toContainText('Barcodes · 10,000 lines');
  await expect(fileRow(page, `features ${mark}.tsv`)).toContainText('Features · 1,000 lines');

  for (const name of ['matrix', 'barcodes', 'features']) {
    await page.getByRole('checkbox', { name: `Select ${name} ${mark}` }).check();
  }
  await page.getByRole('button', { name: 'Convert to H5AD' }).click();
  await expect(page.getByText('Conversion Started')).toBeVisible();
  await expect(
    page.getByText(`Converting matrix ${mark}.mtx with 2 metadata files to H5AD format`),
  ).toBeVisible();

  const made = fileRow(page, `matrix ${mark}.h5ad`);
  await expect(made).toContainText('10,000 cells × 1,000 genes · raw counts', { timeout: 120_000 });
  // Nobody's cells are taken away before somebody has seen which.
  await made.getByRole('button', { name: /^Review quality control/ }).click({ timeout: 60_000 });
  const review = page.getByRole('dialog', { name: 'Review quality control' });
  await expect(review.getByRole('status').filter({ hasText: 'would be removed' })).toContainText(/10,000/);
  await expect(review.getByRole('slider', { name: 'Total counts of All cells' })).toHaveAttribute(
    'aria-valuetext',
    /^at least \d/,
  );
  await review.getByRole('button', { name: 'Build' }).click();
  await expect(made).toContainText(/Dataset ready · [\d,]+ of 10,000 cells kept · \d+ clusters and UMAP/, {
    timeout: 240_000,
  });
  await made.getByRole('link', { name: /^Explore/ }).click();
  await expect(page).toHaveURL(/\/explorer\?customFileId=[\w-]{36}&customFileName=matrix/);
  await expect(viewer(page).getByRole('img').first()).toBeVisible();
  console.log(`upload to first UMAP: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const card = page.getByRole('region', { name: 'Current Dataset' });
  await expect(card).toContainText('Custom Dataset');
  await expect(card).toContainText(/File ID[0-9a-f]{8}/);
  // Clusters were computed; nobody has said what the cells are.
  await expect(card).toContainText(/Clusters\d+/);
  await expect(card).not.toContainText('Cell types');
  await showGene(page, 'Rpl7');

  // What was computed has the settings that the page showed as the defaults.
  await page.goto('/upload-data');
  await made.getByRole('button', { name: /^Process Again/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Process Again' });
  const shown = (label: string) =>
    dialog.getByRole('spinbutton', { name: label }).getAttribute('placeholder');
  const record = dialog.getByRole('region', { name: 'What was computed' });
  await expect(record).toContainText(`Neighbours${await shown('Neighbours')}`);
  await expect(record).toContainText(`Components${await shown('Principal components')}`);
  await expect(record).toContainText(`at resolution ${await shown('Resolution')}`);
  await expect(record).toContainText(`minimum distance ${await shown('Minimum distance')}`);
  await expectAccessible(page, dialog);

  // Another resolution, and what is not wanted after all.
  await dialog.getByRole('spinbutton', { name: 'Resolution' }).fill('0.3');
  await dialog.getByRole('radio', { name: 'Replace this dataset' }).click();
  await dialog.getByRole('button', { name: 'Process Again' }).click();
  await expect(dialog).toBeHidden();
  const jobs = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
  const job = jobs.filter({ hasText: `matrix ${mark}` }).first();
  await job.getByRole('button', { name: /^Cancel/ }).click();
  await expect(job).toContainText(/cancelled/i);
  await expect(made.getByRole('link', { name: /^Explore/ })).toBeVisible();
  for (const name of [
    `matrix ${mark}.h5ad`,
    `matrix ${mark}.mtx`,
    `barcodes ${mark}.tsv`,
    `features ${mark}.tsv`,
  ]) {
    await deleteFile(page, fileRow(page, name));
  }
});

test('files of other formats become datasets, and a table that is unclear is asked about', async ({
  page,
}) => {
  test.slow();
  const mark = randomBytes(4).toString('hex');
  const formats = join(import.meta.dirname, '../packages/ingest/src/conversions/fixtures');
  const read = (name: string) => readFile(join(formats, name));
  await openUploads(page);
  await upload(
    page,
    given(`tenx ${mark}.h5`, await read('v3.h5')),
    given(`packed ${mark}.h5ad.gz`, await read('cells.h5ad.gz')),
    given(`folder ${mark}.zarr.zip`, await read('v3-csr.zarr.zip')),
    given(`unclear ${mark}.csv`, await read('unclear.csv')),
  );
  for (const name of [`tenx ${mark}.h5`, `packed ${mark}.h5ad.gz`, `folder ${mark}.zarr.zip`]) {
    await expect(fileRow(page, name)).toContainText('60 cells × 40 genes', { timeout: 60_000 });
  }
  await expect(fileRow(page, `folder ${mark}.zarr.zip`)).toContainText('Dataset ready', { timeout: 60_000 });
  const table = fileRow(page, `unclear ${mark}.csv`);
  await expect(table).toContainText('Needs an answer: where are the genes of this table?', {
    timeout: 60_000,
  });
  await expectAccessible(page, table);
  await table.getByRole('button', { name: 'In columns' }).click();
  await expect(table).toContainText('40 cells × 60 genes', { timeout: 60_000 });
  for (const name of [
    `tenx ${mark}.h5`,
    `packed ${mark}.h5ad.gz`,
    `folder ${mark}.zarr.zip`,
    `unclear ${mark}.csv`,
  ])
    await deleteFile(page, fileRow(page, name));
});
