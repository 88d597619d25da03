export const genePanel = 'Gene Visualization';

/** Titles of the explorer's panels, which the demo names as well. */
export const explorationPanels = {
  cellStates: 'Cell State Visualization',
  signatures: 'Signature Visualization',
  cellTypes: 'Cell Type Visualization',
  groups: 'Figures by Group',
  geneLists: 'Gene Lists',
} as const;

export const analysisPanels = {
  subsets: 'Manage Cell Subsets',
  subclustering: 'Subclustering',
  cellSets: 'Set Algebra',
  annotations: 'Annotations',
  run: 'Run Analysis',
  exports: 'Export Cells',
} as const;
