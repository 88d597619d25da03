import type { AnalysisView } from '@/features/analyses/index.ts';
import { cellTypesView } from '@/features/cell-types/index.ts';
import { comparedView } from '@/features/comparisons/index.ts';
import { gradientView } from '@/features/gradient/view.tsx';
import { ligandReceptorView } from '@/features/ligand-receptor/view.tsx';
import { markersView } from '@/features/markers/view.ts';
import { trajectoryView } from '@/features/trajectory/view.tsx';
import { rankedEnrichmentView } from '@/features/ranked-enrichment/index.ts';

/** Parts of pages that are not made of declarations, by the id of the analysis. */
export const views: ReadonlyMap<string, AnalysisView> = new Map([
  ['cell-types', cellTypesView],
  ['comparison', comparedView],
  ['deciles', comparedView],
  ['gradient', gradientView],
  ['ligand-receptor', ligandReceptorView],
  ['markers', markersView],
  ['trajectory', trajectoryView],
  ['ranked-enrichment', rankedEnrichmentView],
]);
