import { type Column, packStrings, type Table } from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest } from '@cellfolio/store';
import { createRandom } from '@cellfolio/analysis';

export const cellCount = 120;
/** As in a file of all annotated genes, of which one tissue expresses the smaller part. */
const geneCount = 24_000;
const expressedCount = 9_000;
const setCount = 700;

interface Naming {
  symbolOf: (gene: number) => string;
  /** Column `gene_ids` of var, if any. */
  idOf?: (gene: number) => string;
}
export const human: Naming = { symbolOf: (gene) => `GENE${gene}` };
export const mouse: Naming = { symbolOf: (gene) => `Gene${gene}` };

/**
 * Writes 120 cells of two types and 24,000 genes. The first 9,000 are expressed in a fifth to three fifths of the
 * cells; of the others every third in a single cell, the rest in none. When scaled, the values of every second gene are
 * below 0.
 */
export async function writeBackgroundDataset(
  root: string,
  id: string,
  { symbolOf, idOf }: Naming = human,
  isScaled = false,
): Promise<DatasetManifest> {
  const writer = await createDatasetWriter(root, id);
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => (cell < cellCount / 2 ? 0 : 1));
  const cellType: Column = {
    kind: 'categorical',
    codes,
    categories: ['B cell', 'T cell'],
    categoryType: 'string',
    ordered: false,
  };
  await writer.obs(named(cellCount, (cell) => `cell-${cell}`, new Map([['cell_type', cellType]])));
  const ids = idOf && packStrings(Array.from({ length: geneCount }, (_, gene) => idOf(gene)));
  const columns = new Map<string, Column>(ids ? [['gene_ids', { kind: 'string', strings: ids }]] : []);
  await writer.var(named(geneCount, symbolOf, columns));
  await writer.obsm({ name: 'X_umap', dimensions: 2, values: new Float32Array(cellCount * 2) });
  entries ??= allEntries();
  const indptr = new Float64Array(geneCount + 1);
  entries.forEach((cells, gene) => (indptr[gene + 1] = indptr[gene]! + cells.length));
  const matrix = await writer.matrix('X', { cellCount, geneCount, indptr, valueType: 'float32' });
  const all = Int32Array.from(entries.flatMap((cells) => cells));
  const values = entries.flatMap((cells, gene) => cells.map(() => (isScaled && gene % 2 === 1 ? -1 : 1)));
  await matrix.write(all, Float32Array.from(values));
  await matrix.close();
  return writer.publish({
    catalogue: {
      name: 'Background',
      disease: 'None',
      subdisease: 'None',
      category1: 'None',
      category2: 'None',
      description: 'Few genes of many are expressed.',
      simulated: true,
    },
    roles: { cellType: 'cell_type', embedding: 'X_umap', metadata: {} },
    expression: { path: 'X', state: isScaled ? 'scaled' : 'log-normalised', hasCounts: false },
    warnings: [],
  });
}

let entries: readonly (readonly number[])[] | undefined;

function allEntries(): number[][] {
  const random = createRandom('enrichment-background');
  return Array.from({ length: geneCount }, (_, gene) => expressing(gene, random));
}

/** The cells of a gene, ascending. Only B cells express the genes 0 to 9. */
function expressing(gene: number, random: ReturnType<typeof createRandom>): number[] {
  if (gene >= expressedCount) return gene % 3 === 0 ? [gene % cellCount] : [];
  const share = 0.2 + 0.4 * random.uniform();
  const maxCells = gene < 10 ? cellCount / 2 : cellCount;
  return Array.from({ length: maxCells }, (_, cell) => cell).filter(() => random.uniform() < share);
}

/** 700 sets of 20 to 400 human genes, nine tenths of them expressed ones: studied genes are expressed somewhere. */
export function backgroundLibrary(): string {
  const random = createRandom('enrichment-sets');
  const pick = () =>
    random.uniform() < 0.9
      ? random.integer(expressedCount)
      : expressedCount + random.integer(geneCount - expressedCount);
  return Array.from({ length: setCount }, (_, set) => {
    const genes = Array.from({ length: 20 + random.integer(380) }, () => `GENE${pick()}`);
    return [`SET ${set}`, '', ...new Set(genes)].join('\t');
  }).join('\n');
}

export function randomLists({ symbolOf }: Naming = human): string[][] {
  return ['one', 'two', 'three'].map((seed) => {
    const random = createRandom(`enrichment-list-${seed}`);
    const genes = new Set<number>();
    while (genes.size < 300) genes.add(random.integer(expressedCount));
    return Array.from(genes, symbolOf);
  });
}

function named(rowCount: number, nameOf: (row: number) => string, columns: Map<string, Column>): Table {
  const index = packStrings(Array.from({ length: rowCount }, (_, row) => nameOf(row)));
  return { rowCount, indexName: '_index', index, columns };
}
