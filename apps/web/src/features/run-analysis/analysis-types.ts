export const analysisTypes = [
  'DEG Analysis',
  'Gene Set Enrichment Analysis',
  'Marker Analysis',
  'Gradient Analysis',
  'Ligand-Receptor Analysis',
  'Top/Bottom Decile Expression Profiling',
  'Trajectory Analysis',
] as const;
export type AnalysisType = (typeof analysisTypes)[number];

/** Whether the analysis runs; of the others only the start is announced. */
export function runs(
  type: AnalysisType,
): type is Extract<AnalysisType, 'Marker Analysis' | 'Gene Set Enrichment Analysis'> {
  return type === 'Marker Analysis' || type === 'Gene Set Enrichment Analysis';
}

export function readAnalysisType(value: unknown): AnalysisType | undefined {
  return analysisTypes.find((type) => type === value);
}
