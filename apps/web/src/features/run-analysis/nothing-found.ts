import { counted, formatCount } from '@/lib/counted.ts';
import type { AnalysisResult } from './analysis-result.ts';

/** What is said of a result in which nothing passes: neither a success nor a failure. */
export interface NothingFound {
  title: string;
  /** Which limit leaves nothing, and what to try. */
  text: string;
}

/** `null` where there are markers, or gene sets that are significant. */
export function nothingFound(result: AnalysisResult): NothingFound | null {
  return result.kind === 'marker' ? noMarkers(result.answer) : noGeneSets(result.answer);
}

type Answer<Kind> = Extract<AnalysisResult, { kind: Kind }>['answer'];

function noMarkers({ groups, passing, parameters }: Answer<'marker'>): NothingFound | null {
  if (groups.some(({ markers }) => markers > 0)) return null;
  const title = 'No Markers Found';
  const p = `an adjusted p-value below ${parameters.pvals_adj}`;
  const change = `a log2 fold change above ${parameters.logfoldchanges}`;
  if (passing === undefined) {
    return { title, text: `No gene has both ${p} and ${change}. Raise the one or lower the other.` };
  }
  const tests = `${counted(passing.tested, 'comparison')} of a gene and a group`;
  if (passing.pvals_adj === 0) {
    const other = passing.logfoldchanges === 0 ? '' : `, whatever its log2 fold change`;
    return {
      title,
      text: `None of ${tests} has ${p}${other}. Raise Adjusted P-Value, or compare larger groups or another column.`,
    };
  }
  if (passing.logfoldchanges === 0) {
    return { title, text: `None of ${tests} has ${change}. Lower Log Fold Change.` };
  }
  return {
    title,
    text: `Of ${tests}, ${formatCount(passing.pvals_adj)} have ${p} and ${formatCount(passing.logfoldchanges)} have ${change}, but none has both. Raise Adjusted P-Value or lower Log Fold Change.`,
  };
}

function noGeneSets({ sets, minimum_overlap, figure }: Answer<'pathway'>): NothingFound | null {
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
    text: `None of ${counted(sets.reported, 'reported gene set')} has an adjusted p-value of ${String(threshold)} or less. Try more genes, or a library that fits them; what is listed is no evidence by itself.`,
  };
}
