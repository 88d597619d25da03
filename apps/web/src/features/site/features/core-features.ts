import type { FigureName } from '../figures/site-figures.ts';

export interface CoreFeature {
  title: string;
  text: string;
  points: readonly string[];
  figure: FigureName;
  alt: string;
}

export const coreFeatures: readonly CoreFeature[] = [
  {
    title: 'Gene Visualization',
    text: 'Search by symbol or Ensembl id, one gene or many. Each is drawn over the whole dataset or over the subset you work with.',
    points: [
      'Suggestions after the first letter, from the genes the dataset has',
      'UMAP and violins by cell type, side by side',
      'Genes that were not found are named',
    ],
    figure: 'gene',
    alt: 'UMAP of 5,198 cells coloured by EPCAM expression; the epithelial clusters are dark, most other cells grey.',
  },
  {
    title: 'Signature Scoring',
    text: 'Paste the genes of a signature and see it as one score a cell, against a background of control genes of like expression.',
    points: [
      'The same scores as scanpy gives, on all cells or on a subset',
      'Fifty hallmark cell states ready to draw',
      'Violins show how the groups compare',
    ],
    figure: 'signature-violin',
    alt: 'Violins of an exhaustion score for ten cell types; only T cells reach high scores.',
  },
  {
    title: 'Cell Type and Cluster Isolation',
    text: 'Bring one cell type forward over the grey of the others, then look inside it by Leiden cluster.',
    points: [
      'Counts beside every type and cluster',
      'Ten colours, told apart by every kind of colour vision',
      'The same colours in every figure',
    ],
    figure: 'isolated',
    alt: 'UMAP with the 1,508 T cells in blue and all other cells grey.',
  },
  {
    title: 'Cell Subsets',
    text: 'Combine filters on genes, signatures, cell types and patient metadata. A subset keeps its name, and every figure after it says which it shows.',
    points: [
      'Positive, negative or between two percentiles',
      'Save, change and reuse',
      'Markers and pathways of the subset alone',
    ],
    figure: 'cell-state',
    alt: 'UMAP coloured by the score of the hypoxia hallmark; some epithelial clusters are dark.',
  },
  {
    title: 'Marker Analysis',
    text: 'What tells one group of cells from all others: ranked genes with adjusted p-values and fold changes, by Wilcoxon or t-test.',
    points: [
      'Any categorical column as the grouping',
      'Dot plot as PNG or SVG',
      'marker_genes.csv with every value',
    ],
    figure: 'markers',
    alt: 'Dot plot of three marker genes for each of ten cell types; the dots lie on a diagonal.',
  },
  {
    title: 'Gene Set Enrichment',
    text: 'From a list of genes to the pathways that explain it, against KEGG, Hallmark, GO Biological Process and Reactome.',
    points: [
      'Tested against the genes of your dataset',
      'Bar plot with the number of genes behind each term',
      'pathway_analysis.csv for the supplement',
    ],
    figure: 'enrichment',
    alt: 'Bar chart of enriched hallmark gene sets; E2F targets and G2M checkpoint lead.',
  },
];
