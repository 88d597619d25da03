import { comparison } from '@cellfolio/analyses';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import {
  analysisCall,
  type ChosenCells,
  type ComparisonDesign,
  comparisonDesign,
  type NamedDataset,
} from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import { samplesAnswer } from '../../runtime/sample-column.ts';
import { codesTaken, columnKindsOf, leftOutSums, sumsOnSides } from '../sample-design/index.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import type { Comparisons } from './comparisons.ts';
import { refusedAnswer } from './pseudobulk/answer.ts';

const postDegDesign: Route<SelectionServices & { comparisons: Comparisons }> = async (app, { services }) => {
  app.post(
    '/api/deg-design',
    {
      config: { scope: 'analyse' },
      schema: {
        summary: 'How a comparison by pseudobulk would be designed, before it runs',
        tags: ['analyses'],
        body: analysisCall(comparison).request,
        response: { 200: comparisonDesign },
      },
    },
    async (request) => {
      const { dataset, cells, ...parameters } = request.body as unknown as ComparisonParameters & {
        readonly dataset?: NamedDataset;
        readonly cells?: ChosenCells;
      };
      return onActiveCells(
        services,
        request,
        async (selection, call) =>
          designAnswer(await services.comparisons.design(selection, parameters, call)),
        { dataset, cells },
      );
    },
  );
};

export const geneComparisonsRoutes = [postDegDesign];

type Design = Awaited<ReturnType<Comparisons['design']>>;

function designAnswer({ parts: { designed, refused }, samples, random }: Design): ComparisonDesign {
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
