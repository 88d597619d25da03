import { bySignificance, type EnrichmentResult } from '@cellfolio/analysis';
import type { Drawing } from '../../compute/task.ts';
import type { LoadedLibrary } from '../../gene-sets/gene-set-store.ts';

type EnrichmentBarInput = Extract<Drawing, { kind: 'enrichment-bars' }>['input'];

/** The most significant sets, under the library's name and label. */
export function enrichmentBarInput(
  { rows, queryGenes, backgroundSize }: EnrichmentResult,
  { name, label }: LoadedLibrary,
): EnrichmentBarInput {
  const library = label === '' ? name : `${name} (${label})`;
  return {
    title: 'Gene set enrichment',
    subtitle: `${library} · ${queryGenes.length} of ${backgroundSize.toLocaleString('en')} genes`,
    terms: bySignificance(rows).map(({ term, adjustedPValue, logPValue, overlap }) => ({
      term,
      adjustedP: adjustedPValue,
      logP: logPValue,
      overlap,
    })),
  };
}
