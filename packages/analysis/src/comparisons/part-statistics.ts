import type { GeneBlock } from '@cellfolio/model';
import { blockStatistics, type BlockStatistics, type MarkerMethod } from '../markers/block-statistics.ts';
import { type ComparedCells, groupsOfPart } from './compared-cells.ts';

/** Statistics of consecutive genes for the tests of every part, in the order of the parts; the block is read once. */
export function partStatistics(
  block: GeneBlock,
  compared: ComparedCells,
  method: MarkerMethod,
): BlockStatistics[] {
  const { partOf, parts } = compared;
  const blocks = partOf ? splitBlock(block, partOf, parts.length) : [block];
  return blocks.map((one, place) => blockStatistics(one, groupsOfPart(compared, place), method));
}

/** Splits a block's entries by the part of their cell, so that ranks are within the cells of one part. */
function splitBlock(block: GeneBlock, partOf: Uint16Array, partCount: number): GeneBlock[] {
  const { starts, cells, values, cellCount, firstGene } = block;
  if (partOf.length !== cellCount) {
    throw new RangeError(`parts of ${partOf.length} cells do not fit genes of ${cellCount} cells`);
  }
  const geneCount = starts.length - 1;
  const [begin, end] = [starts[0]!, starts[geneCount]!];
  // The last count is that of the cells in no part.
  const counts = new Float64Array(partCount + 1);
  for (let i = begin; i < end; i++) counts[partOf[cells[i]!]!]!++;
  const split = Array.from({ length: partCount }, (_, part) => ({
    cellCount,
    firstGene,
    starts: new Float64Array(geneCount + 1),
    cells: new Int32Array(counts[part]!),
    values: new Float32Array(counts[part]!),
  }));
  const at = new Float64Array(partCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const last = starts[gene + 1]!;
    for (let i = starts[gene]!; i < last; i++) {
      const cell = cells[i]!;
      const part = partOf[cell]!;
      if (part === partCount) continue;
      const to = split[part]!;
      const place = at[part]!;
      to.cells[place] = cell;
      to.values[place] = values[i]!;
      at[part] = place + 1;
    }
    for (let part = 0; part < partCount; part++) split[part]!.starts[gene + 1] = at[part]!;
  }
  return split;
}
