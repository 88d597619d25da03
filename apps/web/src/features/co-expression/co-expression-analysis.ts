import type { CoExpressionAnswer, CoExpressionRequest } from '@cellfolio/contract';
import { coExpressionAnswer, coExpressionRequest } from '@cellfolio/contract';
import { Waypoints } from 'lucide-react';
import { defineAnalysis, type NothingFound, figureOf } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { CoExpressionFacts } from './co-expression-facts.tsx';
import { CoExpressionFields } from './co-expression-fields.tsx';
import {
  coExpressionDefaults,
  type CoExpressionForm,
  coExpressionRequestOf,
  isComplete,
} from './co-expression-form.ts';
import { CoExpressionPanel } from './co-expression-panel.tsx';
import { graphText } from '@/features/trajectory/index.ts';
import { coExpressionFollowUps } from './follow-ups.ts';

export const coExpressionAnalysis = defineAnalysis<CoExpressionForm, CoExpressionRequest, CoExpressionAnswer>(
  {
    id: 'co-expression',
    title: 'Co-Expression Analysis',
    name: 'co-expression analysis',
    noticeName: 'Co-expression analysis',
    running: 'Running Co-Expression Analysis',
    icon: Waypoints,
    path: '/api/perform-co-expression-analysis',
    request: coExpressionRequest,
    answer: coExpressionAnswer,
    csvField: 'genes_csv',
    form: {
      defaults: coExpressionDefaults,
      requestOf: coExpressionRequestOf,
      isComplete,
      Fields: CoExpressionFields,
    },
    runningText: () => 'Finding modules of genes',
    startedText: () => 'Finding modules of genes',
    asked: (request, cells) =>
      `Modules of ${request.min_module_genes ?? 15} genes or more, ${cells}: FDR ${request.fdr ?? 0.05}, ${graphText(request.graph, request.n_neighbors ?? 30)}, pairs of at most ${request.max_genes ?? 500} genes`,
    columns: new Map([
      ['group', { label: 'Module', kind: 'text' }],
      ['names', { label: 'Gene', kind: 'text' }],
      ['c', { label: 'Local autocorrelation', kind: 'number' }],
      ['z', { label: 'Z', kind: 'number' }],
      ['skewness', { label: 'Skewness of Z by chance', kind: 'number' }],
      ['pvals', { label: 'P-value', kind: 'p-value' }],
      ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
      ['module_z', { label: 'Z within module', kind: 'number' }],
      ['pct_nz', { label: 'Expressing', kind: 'share' }],
    ]),
    files: { table: 'co_expression_genes', figure: 'module_heatmap' },
    figure: 'Module Heatmap',
    panelTitle: 'Module Figures',
    searchPlaceholder: 'Search genes and modules',
    groupGenes: 'genes',
    rowNoun: () => 'gene',
    allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
    read: (answer) => ({
      summary: (cells) =>
        `Co-expression, ${cells}: ${plural(answer.modules.length, 'module')} among ${plural(answer.genes.paired, 'gene')} that were paired, of ${formatCount(answer.genes.passing)} with local autocorrelation, FDR ${answer.parameters.fdr}`,
      figure: figureOf(answer, 'figure'),
      nothing: noModules(answer),
      cautions: answer.warnings.map(({ message }) => message),
      groups: answer.modules.map(({ name, genes }) => ({ name, markers: genes.length, few_cells: false })),
    }),
    Facts: CoExpressionFacts,
    Figure: CoExpressionPanel,
    followUps: coExpressionFollowUps,
  },
);

function noModules({ modules, genes, parameters }: CoExpressionAnswer): NothingFound | null {
  if (modules.length > 0) return null;
  const text =
    genes.passing === 0
      ? `None of ${plural(genes.tested, 'gene')} has similar expression in neighbouring cells with an adjusted p-value below ${parameters.fdr}.`
      : `${plural(genes.passing, 'gene')} of ${formatCount(genes.tested)} have similar expression in neighbouring cells, but no ${parameters.min_module_genes} of them vary together. Lower Min. Module Genes to find smaller modules.`;
  return { title: 'No Modules Found', text: `${text} The table has all genes.` };
}
