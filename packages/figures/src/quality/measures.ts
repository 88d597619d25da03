interface QualityMeasure {
  measure: 'genes' | 'counts' | 'mitochondrial' | 'ribosomal' | 'haemoglobin' | 'doublets';
  title: string;
  /** Numbers of genes or molecules, which are skewed; the others are shares or scores. */
  isCount: boolean;
}

const share = (genes: string): RegExp =>
  new RegExp(
    `^(pct|percent|perc|frac|fraction)_(counts_)?(in_)?(${genes})$|^(${genes})_(pct|percent|frac|fraction)$`,
  );

/** Names used by scanpy, Seurat, Scrublet and their users; `usual` is that of `calculate_qc_metrics`. */
const measures: readonly (QualityMeasure & { usual: string; name: RegExp })[] = [
  {
    measure: 'genes',
    title: 'Genes',
    usual: 'n_genes_by_counts',
    isCount: true,
    name: /^(n_genes_by_counts|n_genes|nfeatures?_rna|n_features|ngenes?|num_genes|gene_counts?)$/,
  },
  {
    measure: 'counts',
    title: 'Counts',
    usual: 'total_counts',
    isCount: true,
    name: /^(total_counts|n_counts|ncounts?_rna|ncounts?|n_?umis?|total_umis?|umi_counts?)$/,
  },
  {
    measure: 'mitochondrial',
    title: 'Mitochondrial',
    usual: 'pct_counts_mt',
    isCount: false,
    name: share('mt|mito|mitochondrial|mt_genes'),
  },
  {
    measure: 'ribosomal',
    title: 'Ribosomal',
    usual: 'pct_counts_ribo',
    isCount: false,
    name: share('ribo|rb|ribosomal|rp'),
  },
  {
    measure: 'haemoglobin',
    title: 'Hemoglobin',
    usual: 'pct_counts_hb',
    isCount: false,
    name: share('hb|hemo|hemoglobin|haemoglobin'),
  },
  {
    measure: 'doublets',
    title: 'Doublet score',
    usual: 'doublet_score',
    isCount: false,
    name: /^(scrublet_)?doublet_scores?$|^scrublet_scores?$/,
  },
];

/** Measure of a column with this name; undefined if unknown. */
export function qualityMeasure(column: string): QualityMeasure | undefined {
  const name = column.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return measures.find((measure) => measure.name.test(name));
}

/** Quality columns of a dataset, one per measure: the usual name if present, else the first. */
export function qualityColumns(columns: readonly string[]): string[] {
  return measures.flatMap(({ measure, usual }) => {
    const named = columns.filter((column) => qualityMeasure(column)?.measure === measure);
    return named.find((column) => column === usual) ?? named[0] ?? [];
  });
}
