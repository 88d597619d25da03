import type { FigureName } from '../figures/site-figures.ts';

export interface DemoStep {
  /** In the address, as `/demo?step=…`. */
  id: string;
  title: string;
  /** What a user does in the tool to get here. */
  action: string;
  text: string;
  figure: FigureName;
  alt: string;
}

/** One path through the simulated breast tumour dataset: from all cells to what a group of them is up to. */
export const demoSteps: readonly DemoStep[] = [
  {
    id: 'dataset',
    title: 'Six tumours, 5,198 cells',
    action: 'Open a dataset',
    text: 'Each point is a cell; cells of like expression lie together. Ten cell types, found by name in the file. The tumours form islands of their own, as no tumour is like another.',
    figure: 'cell-types',
    alt: 'UMAP of 5,198 cells coloured by ten cell types; T cells form the largest cluster, epithelial cells six islands.',
  },
  {
    id: 'gene',
    title: 'Which cells are epithelial?',
    action: 'Search EPCAM, Visualize Selected Genes',
    text: 'One gene, drawn over every cell. EPCAM marks the tumour islands; a third of all cells have at least one count of it, most of them only a trace.',
    figure: 'gene',
    alt: 'UMAP coloured by EPCAM expression; the epithelial islands are dark, most other cells grey.',
  },
  {
    id: 'violin',
    title: 'How sure can you be?',
    action: 'Tick Generate Expression by Cell Type Violin Plot',
    text: 'The same gene as violins: median, quartiles and the share of cells that express it. More than 99.9 % of epithelial cells do; in every other type it is 12 % or less.',
    figure: 'gene-violin',
    alt: 'Violins of EPCAM for ten cell types; epithelial cells have a median near 3.6, all others near 0.',
  },
  {
    id: 'signature',
    title: 'Which T cells are exhausted?',
    action: 'Score a signature of PDCD1, LAG3, HAVCR2, TIGIT, CTLA4, TOX and CXCL13',
    text: 'Seven genes become one score a cell, measured against control genes of like expression. One corner of the T cells stands out, and nothing else does.',
    figure: 'signature',
    alt: 'UMAP coloured by an exhaustion score; one corner of the T cell cluster is dark.',
  },
  {
    id: 'state',
    title: 'Where is oxygen short?',
    action: 'Choose HYPOXIA under Cell State Visualization',
    text: 'Fifty hallmark states are ready to draw. Hypoxia runs high in parts of some tumours. The gene set is the whole one of MSigDB, and the figure says which release.',
    figure: 'cell-state',
    alt: 'UMAP coloured by the hypoxia score; parts of several epithelial islands are dark.',
  },
  {
    id: 'markers',
    title: 'What tells the types apart?',
    action: 'Run Marker Analysis, grouped by cell type',
    text: 'Every gene tested in every group, Wilcoxon, corrected for the number of genes. Three markers a type; dots grow with the share of cells and darken with the mean.',
    figure: 'markers',
    alt: 'Dot plot of three marker genes for each of ten cell types; the dots lie on a diagonal.',
  },
  {
    id: 'pathways',
    title: 'What are ten genes up to?',
    action: 'Run Gene Set Enrichment on MKI67, TOP2A and eight more',
    text: 'E2F targets and the G2M checkpoint: these cells divide. Beside each bar, how many genes of the list are in the set. The table comes as CSV.',
    figure: 'enrichment',
    alt: 'Bar chart of enriched hallmark gene sets; E2F targets and G2M checkpoint lead, five pass the threshold.',
  },
];
