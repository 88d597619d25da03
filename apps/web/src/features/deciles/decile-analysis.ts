import type { DecileAnswer, DecileRequest, FigureContent, FigureSource } from '@cellfolio/contract';
import { columnTitle, decileAnswer, decileRequest } from '@cellfolio/contract';
import { ArrowDownUp } from 'lucide-react';
import { defineAnalysis } from '@/features/analyses/index.ts';
import { comparedGenes } from '@/features/comparisons/index.ts';
import { DecileFacts } from './decile-facts.tsx';
import { DecileFields } from './decile-fields.tsx';
import { decileDefaults, type DecileForm, decileRequestOf, isComplete } from './decile-form.ts';

export const decileAnalysis = defineAnalysis<DecileForm, DecileRequest, DecileAnswer>({
  ...comparedGenes,
  id: 'deciles',
  title: 'Top/Bottom Decile Expression Profiling',
  name: 'top/bottom decile expression profiling',
  noticeName: 'Top/bottom decile expression profiling',
  running: 'Running Top/Bottom Decile Expression Profiling',
  icon: ArrowDownUp,
  path: '/api/perform-decile-analysis',
  request: decileRequest,
  answer: decileAnswer,
  form: {
    defaults: decileDefaults,
    requestOf: decileRequestOf,
    isComplete,
    Fields: DecileFields,
  },
  runningText: endsText,
  startedText: endsText,
  asked: (request, cells) =>
    `${endsText(request)}, ${cells}: ${request.method === 'wilcoxon' ? 'Wilcoxon rank-sum test' : 'pseudobulk of samples'}`,
  files: { table: 'decile_profiling', figure: 'decile_volcano' },
  furtherFigures: [
    { figure: 'Ends', file: 'decile_ends', sourceOf: (source) => ofEnds(source, 'end-distribution') },
    {
      figure: 'Composition',
      file: 'decile_composition',
      sourceOf: (source) => ofEnds(source, 'end-composition'),
    },
  ],
  Facts: DecileFacts,
});

function ofEnds(source: FigureSource, kind: 'end-distribution' | 'end-composition'): FigureSource {
  if (!('ends' in source.content) || source.content.ends === undefined) return source;
  const { ends, samples, min_sample_cells } = source.content;
  const content: FigureContent = {
    kind,
    ...ends,
    ...(samples !== undefined && { samples }),
    min_sample_cells,
  };
  return { ...source, content };
}

function endsText({ by, share = Number(decileDefaults.share) }: DecileRequest): string {
  return `Comparing the highest with the lowest ${share} % of ${rankedByText(by)}`;
}

function rankedByText(by: DecileRequest['by']): string {
  if (by.of === 'gene') return by.gene;
  if (by.of === 'column') return columnTitle(by.column);
  return by.of === 'signature' ? by.score_name || 'the signature' : by.cell_state;
}
