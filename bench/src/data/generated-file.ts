import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MatrixContent, type SparseBlock, writeH5ad } from '@cellfolio/ingest';
import { packStrings, type Table, type CategoricalColumn, type Embedding } from '@cellfolio/model';
import { FileObjectStore, geneBlocks, openDataset } from '@cellfolio/store';
import { expressionModel, type ExpressionModel, countEntries, sparseRows } from './sparse-rows.ts';
import { SeededBits } from './seeded-bits.ts';

export interface DataSize {
  cells: number;
  genes: number;
  /** Share of non-zero values. */
  density: number;
  /** Deflate level of the arrays; undefined: contiguous and uncompressed, the default of anndata. */
  gzip?: number | undefined;
}

export interface GeneratedFile {
  path: string;
  size: DataSize;
  model: ExpressionModel;
}

const seed = 20_240_607;
const geneBlockEntries = 2 ** 20;

/** `100000x20000-8pc`. */
export function sizeName({ cells, genes, density, gzip }: DataSize): string {
  return `${cells}x${genes}-${Number((density * 100).toPrecision(3))}pc${gzip === undefined ? '' : `-gzip${gzip}`}`;
}

/** Returns the .h5ad file of a size, generated unless it exists. Memory is limited to a block of rows. */
export async function generatedFile(
  folder: string,
  size: DataSize,
  report: (line: string) => void,
): Promise<GeneratedFile> {
  const path = join(folder, `${sizeName(size)}.h5ad`);
  const model = expressionModel(size.genes, size.density, seed);
  if (existsSync(path)) return { path, size, model };
  await mkdir(folder, { recursive: true });
  report(`generating ${path}`);
  const rows = { model, cellCount: size.cells, seed };
  const X = {
    format: 'csr',
    dtype: 'float32',
    blocks: sparseRows(rows),
    valueCount: countEntries(rows),
  } as const;
  await writeGenerated(path, size, X);
  return { path, size, model };
}

export async function geneMajorFile(
  { path, size, model }: GeneratedFile,
  store: { root: string; id: string },
  report: (line: string) => void,
): Promise<GeneratedFile> {
  const turned = path.replace(/\.h5ad$/, '-csc.h5ad');
  if (existsSync(turned)) return { path: turned, size, model };
  report(`generating ${turned}`);
  const dataset = await openDataset(new FileObjectStore(store.root), store.id, { cacheBytes: 0 });
  const { valueStarts } = dataset;
  async function* blocks(): AsyncGenerator<SparseBlock> {
    for (const { from, to } of geneBlocks(valueStarts, geneBlockEntries)) {
      yield await dataset.useGeneBlock(from, to, ({ starts, cells, values }) => ({
        indptr: starts.slice(),
        indices: cells.slice(),
        values: values.slice(),
      }));
    }
  }
  const valueCount = valueStarts[size.genes]!;
  await writeGenerated(turned, size, { format: 'csc', dtype: 'float32', blocks: blocks(), valueCount });
  return { path: turned, size, model };
}

function writeGenerated(path: string, { cells, genes, gzip }: DataSize, X: MatrixContent): Promise<void> {
  const clouds = cellClouds(cells, seed);
  const obs: Table = {
    rowCount: cells,
    indexName: '_index',
    index: packStrings(Array.from({ length: cells }, (_, cell) => `cell-${cell}`)),
    columns: new Map([
      ['cell_type', clouds.cellType],
      ['leiden', clouds.cluster],
    ]),
  };
  return writeH5ad(
    path,
    {
      obs,
      var: { rowCount: genes, indexName: '_index', index: packStrings(geneNames(genes)), columns: new Map() },
      obsm: [clouds.embedding],
      X,
    },
    gzip === undefined ? {} : { gzip },
  );
}

export function geneNames(count: number): string[] {
  return Array.from({ length: count }, (_, gene) => `GENE${gene + 1}`);
}

/** Genes spread evenly over the ranking of means, from those in all cells to those in 1 %; rarer ones are too easy. */
export function genesToDraw(model: ExpressionModel, count: number): string[] {
  const names = geneNames(model.geneCount);
  const order = [...model.means.keys()]
    .filter((gene) => model.means[gene]! > 0.01)
    .sort((a, b) => model.means[b]! - model.means[a]!);
  return Array.from({ length: Math.min(count, order.length) }, (_, i) => {
    const place = Math.floor(((i + 0.5) * order.length) / count);
    return names[order[place]!]!;
  });
}

interface CellClouds {
  cellType: CategoricalColumn;
  cluster: CategoricalColumn;
  embedding: Embedding;
}

const cellTypes = [
  'B cell',
  'Endothelial cell',
  'Epithelial cell',
  'Fibroblast',
  'Macrophage',
  'Mast cell',
  'Monocyte',
  'NK cell',
  'Plasma cell',
  'T cell',
];
const cloudCount = 2 * cellTypes.length;

export function cellClouds(cellCount: number, seed: number): CellClouds {
  const bits = new SeededBits(seed);
  const clouds = Array.from({ length: cloudCount }, () => {
    const angle = 2 * Math.PI * bits.uniform();
    return {
      x: 24 * bits.uniform() - 12,
      y: 24 * bits.uniform() - 12,
      length: 0.8 + bits.uniform(),
      width: 0.3 + 0.6 * bits.uniform(),
      cosine: Math.cos(angle),
      sine: Math.sin(angle),
    };
  });
  const cluster = new Int8Array(cellCount);
  const cellType = new Int8Array(cellCount);
  const values = new Float32Array(2 * cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    // Squared: the first clouds have the most cells.
    const code = Math.floor(bits.uniform() ** 2 * cloudCount);
    const { x, y, length, width, cosine, sine } = clouds[code]!;
    const along = length * bits.normal();
    const across = width * bits.normal();
    cluster[cell] = code;
    cellType[cell] = code >> 1;
    values[2 * cell] = x + along * cosine - across * sine;
    values[2 * cell + 1] = y + along * sine + across * cosine;
  }
  return {
    cellType: categorical(cellType, cellTypes),
    cluster: categorical(
      cluster,
      clouds.map((_, code) => String(code)),
    ),
    embedding: { name: 'X_umap', dimensions: 2, values },
  };
}

export function categorical(codes: Int8Array, categories: readonly string[]): CategoricalColumn {
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
