import { integrationMethods } from './integration-methods.ts';

const knownTitles: ReadonlyMap<string, string> = new Map([
  ['n_genes_by_counts', 'Genes detected'],
  ['n_genes', 'Number of genes'],
  ['nFeature_RNA', 'RNA features detected'],
  ['total_counts', 'Total counts'],
  ['n_counts', 'Number of counts'],
  ['nCount_RNA', 'Total RNA counts'],
  ['percent.mt', 'Mitochondrial percentage'],
  ['percent.ribo', 'Ribosomal percentage'],
  // A share of 1 in some files, of 100 in others.
  ['percent_mito', 'Mitochondrial share'],
  ['doublet_score', 'Doublet score'],
  ['predicted_doublet', 'Predicted doublet'],
  ['S_score', 'S phase score'],
  ['G2M_score', 'G2/M phase score'],
  ['phase', 'Cell cycle phase'],
  ['dpt_pseudotime', 'Diffusion pseudotime'],
]);

const geneSets: ReadonlyMap<string, string> = new Map([
  ['mt', 'Mitochondrial'],
  ['mito', 'Mitochondrial'],
  ['ribo', 'Ribosomal'],
  ['hb', 'Hemoglobin'],
]);

/** Title of a `calculate_qc_metrics` column for a gene set; undefined for any other. */
function measureTitle(name: string): string | undefined {
  const logged = name.startsWith('log1p_') ? name.slice('log1p_'.length) : undefined;
  if (logged !== undefined) {
    const title = knownTitles.get(logged) ?? measureTitle(logged);
    return title && `${title}, log(1 + x)`;
  }
  const top = /^pct_counts_in_top_(\d+)_genes$/.exec(name)?.[1];
  if (top !== undefined) return `Share of the ${top} top genes (%)`;
  const [, what, set = ''] = /^(pct|total)_counts_(.+)$/.exec(name) ?? [];
  const genes = geneSets.get(set.toLowerCase());
  if (genes === undefined) return undefined;
  return what === 'pct' ? `${genes} share (%)` : `${genes} counts`;
}

/**
 * Display title of an obs column or metadata field. Columns named by scanpy and Seurat are titled by what they measure;
 * in others each word is capitalised: 'cell_state' becomes 'Cell State'. A name with a space was written for readers
 * and stays as it is, as does each of `own`, the columns named by the user. Files and calls keep the name as the data
 * has it.
 */
export function columnTitle(name: string, own: readonly { readonly name: string }[] = []): string {
  if (/\s/.test(name) || own.some((column) => column.name === name)) return name;
  const fixedTitle = knownTitles.get(name) ?? measureTitle(name);
  if (fixedTitle !== undefined) return fixedTitle;
  const title = name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return title === '' ? name : title;
}

/** Titles of grouping roles, regardless of the column's name. */
export const partTitles = { cellType: 'Cell type', cluster: 'Cluster' } as const;

/** Title of the column that a request groups cells by: of a role by its name in requests. */
export function groupByTitle(column: string): string {
  if (column === 'cell_type') return partTitles.cellType;
  return column === 'leiden' ? partTitles.cluster : columnTitle(column);
}

const embeddingTitles: ReadonlyMap<string, string> = new Map([
  ['umap', 'UMAP'],
  ['tsne', 't-SNE'],
  ['pca', 'principal components'],
  ['umap_unintegrated', 'UMAP before integration'],
  ['diffmap', 'diffusion map'],
  ...Object.values(integrationMethods).map(
    ({ embedding, name }) => [embedding.slice(2), `principal components (${name})`] as const,
  ),
]);

/**
 * Whether an axis of an embedding points down when it is drawn: in images of tissue, and so in `obsm['spatial']`, y is
 * counted from the top. `axis`: 0 for the first.
 */
export function pointsDown(key: string, axis: number): boolean {
  return axis === 1 && /^(x_)?spatial(?!.*(umap|t-?sne|pca))/i.test(key);
}

/** Name of an embedding within a sentence: 'X_pca' is 'principal components', 'X_scVI' is 'scVI'. */
export function embeddingTitle(key: string): string {
  const plain = key.replace(/^X_/i, '');
  const title = embeddingTitles.get(plain.toLowerCase()) ?? plain.replaceAll('_', ' ').trim();
  return title === '' ? key : title;
}
