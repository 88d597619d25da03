import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings, type Table } from '@cellfolio/model';
import { cellClouds } from './cell-clouds.ts';
import { expressionModel, type ExpressionModel } from './expression-model.ts';
import { countEntries, sparseRows } from './sparse-rows.ts';

export interface DataSize {
  readonly cells: number;
  readonly genes: number;
  /** Share of non-zero values. */
  readonly density: number;
  /** Deflate level of the arrays; absent: not compressed and contiguous, as anndata writes by itself. */
  readonly gzip?: number | undefined;
}

export interface GeneratedFile {
  readonly path: string;
  readonly size: DataSize;
  readonly model: ExpressionModel;
}

const seed = 20_240_607;

/** Names what was generated, such as `100000x20000-8pc`. */
export function sizeName({ cells, genes, density, gzip }: DataSize): string {
  return `${cells}x${genes}-${Number((density * 100).toPrecision(3))}pc${gzip === undefined ? '' : `-gzip${gzip}`}`;
}

/** The .h5ad file of a size: the one in the folder, or a new one. Memory is bounded by a block of rows. */
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
  const { cells, genes, gzip } = size;
  const clouds = cellClouds(cells, seed);
  const rows = { model, cellCount: cells, seed };
  const obs: Table = {
    rowCount: cells,
    indexName: '_index',
    index: packStrings(Array.from({ length: cells }, (_, cell) => `cell-${cell}`)),
    columns: new Map([
      ['cell_type', clouds.cellType],
      ['leiden', clouds.cluster],
    ]),
  };
  await writeH5ad(
    path,
    {
      obs,
      var: { rowCount: genes, indexName: '_index', index: packStrings(geneNames(genes)), columns: new Map() },
      obsm: [clouds.embedding],
      X: { format: 'csr', dtype: 'float32', blocks: sparseRows(rows), valueCount: countEntries(rows) },
    },
    gzip === undefined ? {} : { gzip },
  );
  return { path, size, model };
}

export function geneNames(count: number): string[] {
  return Array.from({ length: count }, (_, gene) => `GENE${gene + 1}`);
}

/**
 * Genes to draw: evenly spread over the order of their means, from those that every cell expresses to
 * those that one in a hundred does. Fewer than one in a hundred would flatter both sides.
 */
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
