import type { ComparisonDesign } from '@cellfolio/contract';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import { samplesAnswer } from '../../runtime/sample-column.ts';
import { type Comparisons, refusedAnswer } from '../gene-comparisons/index.ts';
import { codesTaken, columnKindsOf, leftOutSums, sumsOnSides } from '../sample-design/index.ts';

type Design = Awaited<ReturnType<Comparisons['design']>>;

export function designAnswer({ parts: { designed, refused }, samples, random }: Design): ComparisonDesign {
  return {
    parts: designed.map((one) => {
      const { part, design, sums } = one;
      const { a, b } = sumsOnSides(one);
      return {
        name: part.name,
        formula: design.formula,
        columns: design.columns.map(({ name: column }) => column),
        column_kinds: columnKindsOf(design),
        paired: design.isPaired,
        samples_a: a,
        samples_b: b,
        left_out_columns: [
          ...design.constant.map((column) => ({ column, reason: 'constant' as const })),
          ...design.held.map((column) => ({ column, reason: 'held-by-pairs' as const })),
        ],
        residual_df: sums.length - design.design.columns.length,
        left_out: leftOutSums(one),
      };
    }),
    refused: refused.map(refusedAnswer),
    samples: samplesAnswer(samples),
    warnings: [...nestingCautions(samples, { correlation: undefined, random }), ...codesTaken(designed)],
  };
}
