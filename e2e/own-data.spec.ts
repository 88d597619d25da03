import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import { expectAccessible } from './support/page-checks.ts';
import { addGenes, chooseIn, panel, select, viewer } from './support/explorer.ts';
import { expect, test } from './support/test.ts';
import { fileRow, fileOf, openUploads, upload } from './support/upload-page.ts';
import { beginWorkflow } from './support/workflow.ts';

interface Content {
  features: readonly string[];
  counts: Float32Array;
  obs: Readonly<Record<string, readonly string[]>>;
  var?: Readonly<Record<string, readonly string[]>>;
}

/** An AnnData file of cells with counts, a UMAP and columns of text. */
async function h5adFile({ features, counts, obs, var: genes = {} }: Content): Promise<Buffer> {
  const categorical = (values: readonly string[]) => {
    const categories = [...new Set(values)];
    const codes = Int32Array.from(values, (value) => categories.indexOf(value));
    return {
      kind: 'categorical' as const,
      categories,
      codes,
      categoryType: 'string' as const,
      ordered: false,
    };
  };
  const table = (names: readonly string[], columns: Content['obs']) => ({
    rowCount: names.length,
    indexName: '_index',
    index: packStrings([...names]),
    columns: new Map(Object.entries(columns).map(([name, values]) => [name, categorical(values)])),
  });
  const cells = counts.length / features.length;
  const folder = await mkdtemp(join(tmpdir(), 'own-data-'));
  const path = join(folder, 'file.h5ad');
  await writeH5ad(path, {
    obs: table(
      Array.from({ length: cells }, (_, cell) => `cell-${cell}`),
      obs,
    ),
    var: table(features, genes),
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

async function citeSeqFile(): Promise<Buffer> {
  const cells = 60;
  const features = [
    'CD3E',
    'CD19',
    ...Array.from({ length: 28 }, (_, gene) => `GENE${gene}`),
    'CD3',
    'IgG1_control',
  ];
  const isFirst = (cell: number) => cell < cells / 2;
  const counts = Float32Array.from({ length: cells * features.length }, (_, at) => {
    const [cell, feature] = [Math.floor(at / features.length), at % features.length];
    if (feature >= 30) return (feature === 30 && isFirst(cell) ? 200 : 20) + ((cell * 7) % 13);
    return (cell + feature) % 3 === 0 ? 1 + ((cell * feature) % 5) : 0;
  });
  return h5adFile({
    features,
    counts,
    obs: {
      cell_type: Array.from({ length: cells }, (_, cell) => (isFirst(cell) ? 'T cell' : 'B cell')),
    },
    var: {
      feature_types: features.map((_, at) => (at < 30 ? 'Gene Expression' : 'Antibody Capture')),
    },
  });
}

/** Two clusters of mouse cells: one with genes of B cells, one with those of macrophages. */
async function mouseFile(): Promise<Buffer> {
  const markers = [
    ['Ms4a1', 'Cd19', 'Cd79a', 'Cd79b', 'Cd22', 'Bank1', 'Pax5', 'Vpreb3', 'Blk'],
    ['Cd68', 'Cd163', 'Mrc1', 'Msr1', 'C1qa', 'C1qb', 'C1qc', 'Apoe', 'Marco', 'Gpnmb', 'Trem2'],
  ] as const;
  const features = [...markers.flat(), ...Array.from({ length: 180 }, (_, gene) => `Gm${1000 + gene}`)];
  const cells = 60;
  const clusterOf = (cell: number) => (cell < cells / 2 ? 0 : 1);
  const counts = Float32Array.from({ length: cells * features.length }, (_, at) => {
    const [cell, feature] = [Math.floor(at / features.length), at % features.length];
    const high = markers[clusterOf(cell)]!.some((gene) => gene === features[feature]);
    const isMarker = feature < markers.flat().length;
    return high ? 6 + ((cell + feature) % 5) : isMarker ? 0 : (cell * 7 + feature * 11) % 4;
  });
  return h5adFile({
    features,
    counts,
    obs: { leiden: Array.from({ length: cells }, (_, cell) => String(clusterOf(cell))) },
  });
}

test('an AnnData file with proteins is inspected, and explored by its genes and proteins', async ({
  page,
}) => {
  const name = `cite ${randomBytes(4).toString('hex')}.h5ad`;
  await openUploads(page);
  await upload(page, fileOf(name, await citeSeqFile()));
  const row = fileRow(page, name);
  await expect(row).toContainText('60 cells × 30 genes');
  await row.getByRole('button', { name: /^Details/ }).click();
  await expect(row).toContainText('2 proteins are kept as a second modality (CD3, IgG1_control)');
  await expectAccessible(page, row);
  await row.getByRole('link', { name: /^Explore/ }).click();
  await expect(page).toHaveURL(/\/explorer\?customFileId=[\w-]{36}&customFileName=cite/);

  await page.getByRole('button', { name: 'Color by: Cell Type' }).click();
  const columns = page.getByRole('list', { name: 'Color by' });
  await expect(columns.getByText('Proteins', { exact: true })).toBeVisible();
  await expect(
    columns.getByRole('button', { name: /^IgG1_control \(protein, isotype control\)/ }),
  ).toBeVisible();
  await columns.getByRole('button', { name: /^CD3 \(protein\)/ }).click();
  await expect(viewer(page).getByRole('heading', { name: /CD3 \(protein\)/ })).toBeVisible();
  await expect(viewer(page).getByText('centered log ratio (CLR)').first()).toBeVisible();

  await panel(page, 'Figures by Group').click();
  await select(page, 'Measure', 'Column of numbers');
  await page.getByRole('button', { name: 'Column: Choose a column' }).click();
  await chooseIn(page, 'Column', /^CD3 \(protein\)/);
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  await expect(viewer(page).getByRole('heading', { name: /^CD3 \(protein\).*Violin/ })).toBeVisible();

  await panel(page, 'Gene Visualization').click();
  await addGenes(page, 'Search genes', 'CD3E');
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(viewer(page).getByRole('img', { name: /^CD3E/ }).first()).toBeVisible();
});

test('types of mouse cells are suggested by the orthologues of human markers, and the page says so before and after', async ({
  page,
}) => {
  const name = `mouse ${randomBytes(4).toString('hex')}.h5ad`;
  await openUploads(page);
  await upload(page, fileOf(name, await mouseFile()));
  await fileRow(page, name)
    .getByRole('link', { name: /^Explore/ })
    .click();
  await expect(page.getByText('60 cells active')).toBeVisible();
  const suggesting = await beginWorkflow(page, 'Suggest mouse cell types');
  await panel(page, 'Annotations').click();
  const card = page.getByRole('region', { name: 'Analysis' });
  await card.getByRole('button', { name: 'Suggest cell types...' }).click();
  await expect(card.getByText(/^This dataset has mouse genes: human ones are mapped/)).toBeVisible();
  await expect(card.getByText(/^\d+ of \d+ markers are in this dataset\.$/)).toBeVisible();
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('tabpanel', { name: 'Cell Type Annotation' });
  const table = result.getByRole('region', { name: 'Suggested cell types' });
  await expect(table.getByRole('row', { name: /^Apply the label of 0/ })).toContainText('B cell');
  await suggesting.end({
    answer: table
      .getByRole('row', { name: /^Apply the label of 1/ })
      .getByText('Macrophage', { exact: true }),
    next: [result.getByRole('button', { name: 'Download', exact: true })],
  });
  await result.getByRole('button', { name: /^Markers: / }).click();
  await expect(result.getByText(/The dataset has mouse genes, .* were mapped to orthologs by/)).toBeVisible();
});
