import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CellGroups } from '@cellfolio/analysis';
import { type GeneBlock, sharedCopy } from '@cellfolio/model';
import { geneBlocks } from '@cellfolio/store';
import { SeededBits } from './seeded-bits.ts';
import { blockEntries, expressionModel } from './sparse-rows.ts';

const seed = 20_261_130;
/** Share of cells with a non-targeting guide; 3.4 % in the genome-scale screens of Replogle and others (2022). */
const controlShare = 0.035;
/** Standard deviation of the natural logarithm of the number of cells per guide. */
const sizeSpread = 0.5;
const [logTotal, totalSpread] = [Math.log(8000), 0.35];
/** Expression that a guide leaves of its target. */
const knockedDown = 0.2;
/** Every so many guides has an effect on other genes, on one in `genesPerEffect`, by this factor. */
const guidesPerEffect = 10;
const genesPerEffect = 50;
/** Entries of a block that is tested at once, as in the server. */
const testedEntries = 1 << 20;
const effect = 1.6;

export interface ScreenSize {
  cells: number;
  genes: number;
  /** Guides with the controls. */
  groups: number;
  density: number;
}

export interface Screen {
  size: ScreenSize;
  /** Guide of each cell; the controls are group 0. */
  labels: Int32Array;
  /** Consecutive genes; values are ln(1 + 10,000 × count / total of the cell). */
  blocks: readonly GeneBlock[];
  entries: number;
}

/**
 * A perturbation screen by seed: each guide knocks one gene down, and a tenth of them change others. Counts are
 * geometric, as those of `sparseRows`, and the genes are those of its model.
 */
export function screen(size: ScreenSize): Screen {
  const { cells, genes, groups, density } = size;
  const bits = new SeededBits(seed);
  const labels = guidesOf(cells, groups, bits);
  const depths = Float64Array.from({ length: cells }, () => Math.exp(totalSpread * bits.normal()));
  const { means } = expressionModel(genes, density, seed);
  const draws = new Uint32Array(cells);
  const factors = new Float64Array(groups);
  const all = { cells: new Int32Array(blockEntries + cells), values: new Float32Array(blockEntries + cells) };
  const blocks: GeneBlock[] = [];
  let [entries, firstGene, end] = [0, 0, 0];
  let starts = [0];
  for (let gene = 0; gene < genes; gene++) {
    factorsOf(gene, genes, factors);
    bits.drawInto(draws);
    for (let cell = 0; cell < cells; cell++) {
      const mean = means[gene]! * depths[cell]! * factors[labels[cell]!]!;
      const chance = mean / (1 + mean);
      const draw = (draws[cell]! + 0.5) / 2 ** 32;
      if (draw >= chance) continue;
      const count = Math.max(1, Math.floor(Math.log(draw) / Math.log(chance)));
      const total = Math.round(Math.exp(logTotal) * depths[cell]!);
      all.cells[end] = cell;
      all.values[end++] = Math.log1p((10_000 * count) / total);
    }
    starts.push(end);
    if (end < blockEntries && gene + 1 < genes) continue;
    blocks.push({
      cellCount: cells,
      firstGene,
      starts: Float64Array.from(starts),
      cells: all.cells.slice(0, end),
      values: all.values.slice(0, end),
    });
    entries += end;
    [firstGene, end, starts] = [gene + 1, 0, [0]];
  }
  return { size, labels, blocks, entries };
}

function guidesOf(cells: number, groups: number, bits: SeededBits): Int32Array {
  const weights = Float64Array.from({ length: groups }, () => Math.exp(sizeSpread * bits.normal()));
  weights[0] = 0;
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  weights[0] = (controlShare * all) / (1 - controlShare);
  const ends = new Float64Array(groups);
  weights.reduce((sum, weight, group) => (ends[group] = sum + weight), 0);
  return Int32Array.from({ length: cells }, () => {
    const place = bits.uniform() * ends[groups - 1]!;
    let [low, high] = [0, groups - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! > place) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}

function factorsOf(gene: number, genes: number, factors: Float64Array): void {
  for (let group = 1; group < factors.length; group++) {
    const isTarget = group % genes === gene;
    const isChanged = group % guidesPerEffect === 0 && (gene + group) % genesPerEffect === 0;
    factors[group] = isTarget ? knockedDown : isChanged ? effect : 1;
  }
  factors[0] = 1;
}

/** Starts of the genes (float64), guide of each cell, cells (int32) and values (float32), as numpy reads them. */
export async function writeScreen(path: string, { labels, blocks, size: { genes } }: Screen): Promise<void> {
  const starts = new Float64Array(genes + 1);
  for (const { firstGene, starts: own } of blocks) {
    const before = starts[firstGene]!;
    for (let i = 1; i < own.length; i++) starts[firstGene + i] = before + own[i]!;
  }
  const file = await open(path, 'w');
  try {
    const parts = [
      starts,
      labels,
      ...blocks.map(({ cells }) => cells),
      ...blocks.map(({ values }) => values),
    ];
    for (const { buffer, byteOffset, byteLength } of parts)
      await file.writeFile(new Uint8Array(buffer, byteOffset, byteLength));
  } finally {
    await file.close();
  }
}

/** Consecutive genes in a file of `writeScreen`: where they are, in bytes. */
export interface PlannedBlock {
  readonly cellCount: number;
  readonly firstGene: number;
  readonly starts: Float64Array;
  readonly cellsAt: number;
  readonly valuesAt: number;
}

/** The guide of each cell, and blocks of genes as large as the server reads them. */
export function planScreen(
  path: string,
  { cells: cellCount, genes }: Pick<ScreenSize, 'cells' | 'genes'>,
): { labels: Int32Array; blocks: PlannedBlock[] } {
  const head = Buffer.alloc(8 * (genes + 1) + 4 * cellCount);
  const file = openSync(path, 'r');
  readAll(file, head, 0);
  closeSync(file);
  const starts = new Float64Array(head.buffer, head.byteOffset, genes + 1);
  const labels = new Int32Array(head.buffer, head.byteOffset + starts.byteLength, cellCount);
  const blocks = geneBlocks(starts, testedEntries).map(({ from, to }) => ({
    cellCount,
    firstGene: from,
    starts: starts.slice(from, to + 1).map((start) => start - starts[from]!),
    cellsAt: head.length + 4 * starts[from]!,
    valuesAt: head.length + 4 * (starts[genes]! + starts[from]!),
  }));
  return { labels, blocks };
}

export function readBlock(path: string, { cellsAt, valuesAt, ...block }: PlannedBlock): GeneBlock {
  const entries = block.starts[block.starts.length - 1]!;
  const [cells, values] = [new Int32Array(entries), new Float32Array(entries)];
  const file = openSync(path, 'r');
  readAll(file, new Uint8Array(cells.buffer), cellsAt);
  readAll(file, new Uint8Array(values.buffer), valuesAt);
  closeSync(file);
  return { ...block, cells, values };
}

function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;) {
    const count = readSync(file, bytes, at, bytes.length - at, position + at);
    if (count === 0)
      throw new RangeError('the file of the screen is too short: remove it, to write it again');
    at += count;
  }
}

/** The guides as groups of cells; the first are the controls. */
export function groupsOfScreen(labels: Int32Array, groups: number): CellGroups {
  const sizes = new Float64Array(groups);
  for (const label of labels) sizes[label]!++;
  return {
    names: Array.from(sizes, (_, group) => (group === 0 ? 'non-targeting' : `guide ${group}`)),
    sizes,
    codes: sharedCopy(Uint16Array.from(labels)),
    cellCount: labels.length,
  };
}
