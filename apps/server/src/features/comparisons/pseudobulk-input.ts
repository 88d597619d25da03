import type { SampleColumn } from '@cellfolio/analysis';
import type { PseudobulkInput } from '@cellfolio/figures';
import { sumTestWords, type TestedPart } from '../gene-comparisons/index.ts';
import { labelsOf, numbersOf } from '../sample-design/index.ts';

export function pseudobulkInput(
  tested: TestedPart,
  { a, b, cautions, gene, surest }: Pick<PseudobulkInput, 'a' | 'b' | 'cautions' | 'gene' | 'surest'>,
): PseudobulkInput {
  const { part, design, checks, sums } = tested;
  return {
    a,
    b,
    part: part.name,
    test: sumTestWords(tested),
    formula: design.formula,
    samples: sums.map(({ sample: name, side, cells }, at) => ({
      name,
      side,
      cells,
      librarySize: checks.librarySizes[at]!,
      factor: checks.factors[at]!,
      x: checks.map.x[at]!,
      y: checks.map.y[at]!,
    })),
    axes: checks.map.axes,
    columns: design.columns.map((column, at) => columnInput(column, roleOf(design, at))),
    coefficients: design.design.coefficients.map(({ name }, at) => ({
      name,
      values: design.design.columns[at]!,
    })),
    spread: checks.spread,
    histogram: checks.histogram,
    tested: checks.tested,
    ...(cautions && { cautions }),
    ...(gene && { gene }),
    ...(surest && { surest }),
  };
}

type ColumnInput = PseudobulkInput['columns'][number];

function roleOf({ columns, pairedBy }: TestedPart['design'], at: number): ColumnInput['role'] {
  if (at === 0) return 'side';
  return columns[at]!.name === pairedBy ? 'pairing' : 'covariate';
}

function columnInput(column: SampleColumn, role: ColumnInput['role']): ColumnInput {
  const { name } = column;
  return column.kind === 'numeric'
    ? { name, role, kind: 'numeric', values: numbersOf(column) }
    : { name, role, kind: 'categorical', values: labelsOf(column) };
}
