import type { DatasetAnalysis } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../compute/open-datasets.ts';
import { umapUrl } from './catalogue.ts';
import { categoriesOf, countsOf, unlabelledCells } from './obs-summary.ts';

/** What the explorer needs to know of a dataset before anything is drawn. */
export async function analyseDataset(
  manifest: DatasetManifest,
  datasets: OpenDatasets,
): Promise<DatasetAnalysis> {
  const dataset = await datasets.get(manifest);
  const { roles, processing } = manifest;
  const [cellTypes, clusters, metadata] = await Promise.all([
    countsOf(dataset, roles.cellType),
    countsOf(dataset, roles.cluster),
    categoriesOf(dataset, roles.metadata),
  ]);
  return {
    dataset_filename: manifest.id,
    cell_types: [...cellTypes.keys()],
    gene_library: [...dataset.genes.symbols],
    leiden_clusters: [...clusters.keys()],
    patient_metadata: metadata,
    cell_type_counts: Object.fromEntries(cellTypes),
    unlabelled_cells: cellTypes.size === 0 ? 0 : unlabelledCells(cellTypes, manifest.cellCount),
    leiden_cluster_counts: Object.fromEntries(clusters),
    cell_count: manifest.cellCount,
    gene_count: manifest.geneCount,
    warnings: [...manifest.warnings],
    umap_url: umapUrl(manifest),
    ...(processing && { processing: { ...processing, computed: [...processing.computed] } }),
    version: manifest.version,
  };
}
