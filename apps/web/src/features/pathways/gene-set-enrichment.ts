import type { PathwayAnalysisAnswer, PathwayAnalysisRequest } from '@cellfolio/contract';
import { pathwayAnalysisAnswer, pathwayAnalysisRequest, plainLibraryName } from '@cellfolio/contract';
import { Table2 } from 'lucide-react';
import type { NothingFound } from '@/features/analyses/index.ts';
import { defineAnalysis, figureOf } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { EnrichmentFacts } from './enrichment-facts.tsx';
import { EnrichmentFields } from './enrichment-fields.tsx';
import type { EnrichmentForm } from './enrichment-form.ts';
import { enrichmentDefaults, isValid, libraryNote, pathwayRequest, readGeneList } from './enrichment-form.ts';

export const geneSetEnrichment = defineAnalysis<
  EnrichmentForm,
  PathwayAnalysisRequest,
  PathwayAnalysisAnswer
>({
  id: 'pathway',
  title: 'Gene Set Enrichment Analysis',
  name: 'gene set enrichment analysis',
  alwaysRetried: true,
  noticeName: 'Enrichment analysis',
  running: 'Running GSE Analysis',
  icon: Table2,
  path: '/api/perform-pathway-analysis',
  request: pathwayAnalysisRequest,
  answer: pathwayAnalysisAnswer,
  csvField: 'analysis_csv',
  form: {
    defaults: enrichmentDefaults,
    requestOf: pathwayRequest,
    isComplete: (form, dataset) =>
      readGeneList(form.genes).length > 0 && isValid(form) && !libraryNote(dataset, form)?.isRefused,
    Fields: EnrichmentFields,
    withGenes: (genes) => ({ genes: genes.join(', ') }),
  },
  runningText: ({ library_name = '' }) => `Testing the genes against ${plainLibraryName(library_name)}`,
  asked: ({ library_name = '', pathway_genes }, cells) =>
    `${plainLibraryName(library_name)}, ${cells}: ${plural(pathway_genes.length, 'gene')}`,
  columns: new Map([
    ['Gene_set', { label: 'Library', kind: 'text' }],
    ['Term', { label: 'Term', kind: 'text' }],
    ['Overlap', { label: 'Overlap', kind: 'text' }],
    ['P-value', { label: 'P-value', kind: 'p-value' }],
    ['Adjusted P-value', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['Odds Ratio', { label: 'Odds ratio', kind: 'number' }],
    ['Combined Score', { label: 'Combined score', kind: 'number' }],
    ['Genes', { label: 'Genes', kind: 'genes' }],
  ]),
  files: { table: 'pathway_analysis', figure: 'pathway_analysis_barplot' },
  figure: 'Bar Plot',
  searchPlaceholder: 'Search terms and genes',
  rowNoun: () => 'term',
  allRows: (rowCount) => `all terms (${formatCount(rowCount)})`,
  read: (answer) => ({
    summary: () => {
      const { library, found_genes } = answer;
      return `${library.title}, ${found_genes.length} genes tested`;
    },
    figure: figureOf(answer, 'barplot'),
    nothing: noGeneSets(answer),
    cautions: cautionsOf(answer),
    groups: [],
  }),
  Facts: EnrichmentFacts,
});

/** With the genes that are not there where no warning names them. */
function cautionsOf({ warnings, not_found_genes: missing }: PathwayAnalysisAnswer): string[] {
  const isReported = missing.length === 0 || warnings.some(({ code }) => code === 'genes-not-found');
  const notes = warnings.map(({ message }) => message);
  const names = missing.slice(0, 20).join(', ');
  return isReported ? notes : [...notes, `${plural(missing.length, 'gene')} not in the dataset: ${names}.`];
}

function noGeneSets({ sets, minimum_overlap, figure }: PathwayAnalysisAnswer): NothingFound | null {
  if (sets.reported === 0) {
    const text =
      sets.tested === 0
        ? 'No gene set shares a gene with the list. Try another library or more genes.'
        : `No gene set shares ${minimum_overlap} genes with the list. Lower the minimum overlap, or try another library or more genes.`;
    return { title: 'No Gene Sets Found', text };
  }
  const { significant, threshold } = figure;
  if (significant !== 0) return null;
  return {
    title: 'No Significant Gene Sets',
    text: `None of ${plural(sets.reported, 'reported gene set')} has an adjusted p-value of ${String(threshold)} or less. Try more genes, or a library that fits them; the listed sets are no evidence by themselves.`,
  };
}
