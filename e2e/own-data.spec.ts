import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import { expectAccessible } from './support/page-checks.ts';
import { addGenes, chooseIn, panel, select, viewer } from './support/explorer.ts';
import { expect, test } from './support/test.ts';
import { fileRow, given, openUploads, upload } from './support/upload-page.ts';

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

test('an AnnData file with proteins is inspected, and explored by its genes and proteins', async ({
  page,
}) => {
  const name = `cite ${randomBytes(4).toString('hex')}.h5ad`;
  await openUploads(page);
  await upload(page, given(name, await citeSeqFile()));
  const row = fileRow(page, name);
  await expect(row).toContainText('60 cells × 30 genes');
  await row.getByRole('button', { name: /^Details/ }).click();
  await expect(row).toContainText('2 proteins are kept as a second modality (CD3, IgG1_control)');
  await expectAccessible(page, row);
  await row.getByRole('link', { name: /^Explore/ }).click();
  await expect(page).toHaveURL(/\/explorer\?customFileId=[\w-]{36}&customFileName=cite/);

  await page.getByRole('button', { name: 'Colour by: Cell Type' }).click();
  const columns = page.getByRole('list', { name: 'Colour by' });
  await expect(columns.getByText('Proteins', { exact: true })).toBeVisible();
  await expect(
    columns.getByRole('button', { name: /^IgG1_control \(protein, isotype control\)/ }),
  ).toBeVisible();
  await columns.getByRole('button', { name: /^CD3 \(protein\)/ }).click();
  await expect(viewer(page).getByRole('heading', { name: /CD3 \(protein\)/ })).toBeVisible();
  await expect(viewer(page).getByText('centred log ratio (CLR)').first()).toBeVisible();

  await panel(page, 'Figures by Group').click();
  await select(page, 'Measure', 'Column of numbers');
  await page.getByRole('button', { name: 'Column: Choose a column' }).click();
  await chooseIn(page, 'Column', /^CD3 \(protein\)/);
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  await expect(viewer(page).getByRole('heading', { name: /^CD3 \(protein\).*Violin/ })).toBeVisible();

  await addGenes(page, 'Search genes', 'CD3E');
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(viewer(page).getByRole('img', { name: /^CD3E/ }).first()).toBeVisible();
});
