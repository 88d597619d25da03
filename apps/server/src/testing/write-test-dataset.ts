import {
  type CatalogueEntry,
  type CategoricalColumn,
  type Column,
  type ColumnRoles,
  type Embedding,
  packStrings,
} from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest, type StorePlace } from '@cellfolio/store';

interface TestDataset {
  cellCount: number;
  obs: ReadonlyMap<string, Column>;
  /** `cells` in ascending order with their values; other cells have 0. */
  genes: readonly {
    name: string;
    cells: Int32Array;
    values: Float32Array;
    /** Raw counts of these cells; stored when all genes have them. */
    counts?: Float32Array;
  }[];
  embeddings: readonly Embedding[];
  proteins?: TestProteins;
  assets?: Readonly<Record<string, Uint8Array>>;
  catalogue: Partial<CatalogueEntry> & { name: string };
  roles: ColumnRoles;
  organism?: string;
  warnings?: DatasetManifest['warnings'];
  /** Statistics of the groups of these columns are stored too, if there are enough entries. */
  statistics?: ReadonlyMap<string, CategoricalColumn>;
}

/** One number per cell for each protein, as centred log ratios. */
export type TestProteins = ReadonlyMap<string, Float32Array>;

export async function writeTestDataset(
  root: StorePlace,
  id: string,
  {
    cellCount,
    obs,
    genes,
    embeddings,
    proteins,
    assets,
    catalogue,
    roles,
    organism,
    warnings = [],
    statistics,
  }: TestDataset,
): Promise<DatasetManifest> {
  const writer = await createDatasetWriter(root, id);
  const cellNames = Array.from({ length: cellCount }, (_, cell) => `cell-${cell}`);
  await writer.obs({ rowCount: cellCount, indexName: '_index', index: packStrings(cellNames), columns: obs });
  const index = packStrings(genes.map(({ name }) => name));
  await writer.var({ rowCount: genes.length, indexName: '_index', index, columns: new Map() });
  for (const embedding of embeddings) await writer.obsm(embedding);
  if (proteins) {
    const table = { scale: 'clr', names: [...proteins.keys()], cells: packStrings(cellNames) } as const;
    const write = await writer.proteins(table);
    for (const [place, values] of [...proteins.values()].entries()) await write(place, values);
  }
  if (assets)
    await writer.assets(
      Object.entries(assets).map(([name, bytes]) => ({ name, size: bytes.length, read: () => bytes })),
    );
  const indptr = new Float64Array(genes.length + 1);
  genes.forEach(({ cells }, gene) => (indptr[gene + 1] = indptr[gene]! + cells.length));
  const shape = { cellCount, geneCount: genes.length, indptr, valueType: 'float32' } as const;
  const matrix = await writer.matrix('X', shape, statistics);
  for (const { cells, values } of genes) await matrix.write(cells, values);
  await matrix.close();
  const hasCounts = genes.length > 0 && genes.every(({ counts }) => counts);
  if (hasCounts) {
    const layer = await writer.matrix('layers/counts', shape);
    for (const { cells, counts } of genes) await layer.write(cells, counts!);
    await layer.close();
  }
  return writer.publish({
    catalogue: catalogueOf(catalogue),
    roles,
    expression: { path: 'X', state: 'log-normalised', hasCounts },
    warnings,
    ...(organism && { organism }),
  });
}

/** A column of at most 128 categories; code -1: missing. */
export function categorical(
  categories: readonly string[],
  cellCount: number,
  codeOf: (cell: number) => number,
): CategoricalColumn {
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => codeOf(cell));
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

export function circle(cellCount: number): Embedding {
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / cellCount;
    return i % 2 ? Math.sin(angle) : Math.cos(angle);
  });
  return { name: 'X_umap', dimensions: 2, values };
}

/** A catalogue entry with texts for what is not given. */
export function catalogueOf(entry: TestDataset['catalogue']): CatalogueEntry {
  return {
    disease: 'Breast Cancer',
    subdisease: 'Triple-negative',
    category1: 'Primary',
    category2: 'Untreated',
    description: 'For tests.',
    simulated: false,
    ...entry,
  };
}
