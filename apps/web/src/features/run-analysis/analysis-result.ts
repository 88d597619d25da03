import type { MarkerAnalysisAnswer, PathwayAnalysisAnswer } from '@cellfolio/contract';

interface ResultOrigin {
  id: string;
  datasetName: string;
  /** 'Global' for the whole dataset. */
  subsetName: string;
  /** Of the dataset. */
  version: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether it was run before, and computed again when it was opened. */
  again: boolean;
}

export type AnalysisResult =
  | (ResultOrigin & { kind: 'marker'; answer: MarkerAnalysisAnswer })
  | (ResultOrigin & { kind: 'pathway'; answer: PathwayAnalysisAnswer });

/** How many results are kept while the page is open; a table of thirty thousand rows is a few megabytes. */
export const maxResults = 10;

export function resultTitle({ kind }: Pick<AnalysisResult, 'kind'>): string {
  return kind === 'marker' ? 'Marker Analysis' : 'Gene Set Enrichment Analysis';
}

/** What was asked, in one line. */
export function resultSummary({ subsetName, ...result }: AnalysisResult): string {
  const cells = subsetName === 'Global' ? 'all cells' : subsetName;
  if (result.kind === 'marker') {
    const { group_title, parameters } = result.answer;
    const { n_genes, pvals_adj, logfoldchanges, min_cells } = parameters;
    return `By ${group_title}, ${cells}: at most ${n_genes} genes a group, adjusted p < ${pvals_adj}, log2 fold change > ${logfoldchanges}, groups of ${min_cells} cells or more`;
  }
  const { library, found_genes } = result.answer;
  const label = library.label === '' ? '' : ` (${library.label})`;
  return `${library.name}${label}, ${found_genes.length} genes tested`;
}

/** The result with the cautions alone that are not told beside it as facts. */
export function withoutFacts(result: AnalysisResult): AnalysisResult {
  if (result.kind === 'marker') return result;
  const warnings = result.answer.warnings.filter(({ code }) => code !== 'background' && code !== 'sets');
  return { ...result, answer: { ...result.answer, warnings } };
}
