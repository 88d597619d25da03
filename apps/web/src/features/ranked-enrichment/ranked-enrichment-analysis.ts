import type { RankedEnrichmentAnswer, RankedEnrichmentRequest } from '@cellfolio/contract';
import { plainLibraryName, rankedEnrichmentAnswer, rankedEnrichmentRequest } from '@cellfolio/contract';
import { ChartSpline } from 'lucide-react';
import { defineAnalysis, type NothingFound, figureOf } from '@/features/analyses/index.ts';
import { libraryNote } from '@/features/pathways/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { RankedEnrichmentFacts } from './ranked-enrichment-facts.tsx';
import { RankedEnrichmentFields } from './ranked-enrichment-fields.tsx';
import {
  comparisonText,
  isComplete,
  type RankedEnrichmentForm,
  rankedDefaults,
  rankedRequestOf,
} from './ranked-enrichment-form.ts';
import { RunningScorePanel } from './running-score-panel.tsx';

export const rankedEnrichmentAnalysis = defineAnalysis<
  RankedEnrichmentForm,
  RankedEnrichmentRequest,
  RankedEnrichmentAnswer
>({
  id: 'ranked-enrichment',
  title: 'Ranked Enrichment (GSEA)',
  name: 'ranked enrichment',
  noticeName: 'Ranked enrichment',
  running: 'Running Ranked Enrichment',
  icon: ChartSpline,
  path: '/api/perform-ranked-enrichment',
  request: rankedEnrichmentRequest,
  answer: rankedEnrichmentAnswer,
  csvField: 'analysis_csv',
  form: {
    defaults: rankedDefaults,
    requestOf: rankedRequestOf,
    isComplete: (form, dataset) => isComplete(form) && !libraryNote(dataset, form)?.isRefused,
    Fields: RankedEnrichmentFields,
  },
  runningText: ({ library_name: library = '', ranking }) =>
    `Testing ${plainLibraryName(library)} on ${rankingText(ranking)}`,
  asked: ({ library_name: library = '', ranking }, cells) =>
    `${plainLibraryName(library)}, ${cells}: ${rankingText(ranking)}`,
  columns: new Map([
    ['Term', { label: 'Term', kind: 'text' }],
    ['ES', { label: 'ES', kind: 'number' }],
    ['NES', { label: 'NES', kind: 'number' }],
    ['NOM p-val', { label: 'Nominal p', kind: 'p-value' }],
    ['FDR q-val', { label: 'FDR q', kind: 'p-value' }],
    ['FWER p-val', { label: 'FWER p', kind: 'p-value' }],
    ['log2err', { label: 'Log2 error of p', kind: 'number' }],
    ['Size', { label: 'Size', kind: 'count' }],
    ['Tag %', { label: 'Leading of set', kind: 'text' }],
    ['Gene %', { label: 'Of ranking', kind: 'text' }],
    ['Lead_genes', { label: 'Leading edge', kind: 'genes' }],
  ]),
  pValueBounds: ({ method, permutations, facts }) => {
    const bound = facts.find(({ code }) => code === 'p-values-at-bound')?.numbers?.['bound'];
    return new Map([
      ['FWER p-val', 1 / permutations],
      ...(method === 'permutation' ? [['FDR q-val', 1 / permutations] as const] : []),
      ...(typeof bound === 'number' ? [['NOM p-val', bound] as const] : []),
    ]);
  },
  files: { table: 'ranked_enrichment', figure: 'ranked_enrichment_barplot' },
  figure: 'Bar Plot',
  panelTitle: 'Running Score',
  searchPlaceholder: 'Search terms and genes',
  rowNoun: () => 'term',
  allRows: (rowCount) => `all terms (${formatCount(rowCount)})`,
  read: (answer) => ({
    summary: (cells) => `${answer.library.title} on ${answer.ranking.name}, ${cells}`,
    figure: figureOf(answer, 'barplot'),
    nothing: nothingFound(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: RankedEnrichmentFacts,
  Figure: RunningScorePanel,
});

function rankingText(ranking: RankedEnrichmentRequest['ranking']): string {
  if (ranking.source === 'comparison') return comparisonText(ranking.comparison);
  return `${ranking.name ?? rankedDefaults.rankingName} (${plural(ranking.genes.length, 'line')})`;
}

function nothingFound({ sets, min_size, max_size }: RankedEnrichmentAnswer): NothingFound | null {
  if (sets.tested === 0) {
    return {
      title: 'No Gene Sets Tested',
      text: `No set of the library has ${formatCount(min_size)} to ${formatCount(max_size)} ranked genes. Allow other sizes, or try another library.`,
    };
  }
  if (sets.significant_top + sets.significant_end > 0) return null;
  return {
    title: 'No Significant Gene Sets',
    text: `None of ${plural(sets.tested, 'set')} has an FDR q of ${sets.threshold} or less; the listed sets are no evidence by themselves.`,
  };
}
