import type { AnalysisView } from '@/features/analyses/index.ts';
import { comparedView } from '@/features/comparisons/index.ts';
import { gradientView } from '@/features/gradient/view.tsx';
import { trajectoryView } from '@/features/trajectory/view.tsx';

/** Parts of pages that are not made of declarations, by the id of the analysis. */
export const views: ReadonlyMap<string, AnalysisView> = new Map([
  ['comparison', comparedView],
  ['deciles', comparedView],
  ['gradient', gradientView],
  ['trajectory', trajectoryView],
]);
