import type { GeneBlock } from '@cellfolio/model';

export function blockOf(genes: readonly (readonly number[])[]): GeneBlock {
  const starts = [0];
  const cells: number[] = [];
  const values: number[] = [];
  for (const gene of genes) {
    gene.forEach((value, cell) => {
      if (value === 0) return;
      cells.push(cell);
      values.push(value);
    });
    starts.push(cells.length);
  }
  return {
    cellCount: genes[0]!.length,
    firstGene: 0,
    starts: Float64Array.from(starts),
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
}
