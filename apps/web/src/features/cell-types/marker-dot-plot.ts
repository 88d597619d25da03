import type { CellTypesRequest, GroupSuggestion } from '@cellfolio/analyses';
import type { FigureContent, FigureSource } from '@cellfolio/contract';
import { maxListedGenes } from '@cellfolio/figures/content';

const ofType = 5;

interface Suggested {
  readonly parameters: CellTypesRequest;
  readonly suggestions: readonly GroupSuggestion[];
}

/**
 * The dot plot of the markers that support the suggested types, over all groups, bracketed by type: each gene once,
 * under the first type that has it. `null` without suggestions.
 */
export function markerDotPlot(source: FigureSource, answer: Suggested): FigureSource | null {
  const { min_share: share, groupby } = answer.parameters;
  const usedGenes = new Set<string>();
  const byType = new Map<string, string[]>();
  for (const { suggestion, best } of answer.suggestions) {
    if (suggestion === null || best === null) continue;
    const genes = byType.get(suggestion) ?? [];
    byType.set(suggestion, genes);
    for (const marker of best.markers) {
      if (genes.length === ofType || usedGenes.size === maxListedGenes) break;
      if (marker.share < share || marker.above <= 0 || usedGenes.has(marker.gene)) continue;
      usedGenes.add(marker.gene);
      genes.push(marker.gene);
    }
  }
  const shown = [...byType].filter(([, genes]) => genes.length > 0);
  if (shown.length === 0) return null;
  const content: FigureContent = {
    kind: 'gene-dot-plot',
    genes: shown.flatMap(([, genes]) => genes),
    by: { column: groupby },
    brackets: shown.map(([name, genes]) => ({ name, count: genes.length })),
    scale: 'none',
    order: 'column',
  };
  return { ...source, content };
}
