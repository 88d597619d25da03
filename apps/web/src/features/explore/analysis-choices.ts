import type { AnalysisChoice } from '@/features/analyses/index.ts';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from '@/features/pathways/index.ts';

/** What can be chosen under Run Analysis; of those that do not run yet, only the start is announced. */
export const analysisChoices: readonly AnalysisChoice[] = [
  'DEG Analysis',
  geneSetEnrichment,
  markerAnalysis,
  'Gradient Analysis',
  'Ligand-Receptor Analysis',
  'Top/Bottom Decile Expression Profiling',
  'Trajectory Analysis',
];
