import type { DatasetAnalysis } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import {
  countsOf,
  leftOutCautions,
  listedCategories,
  listedFields,
  listedGenes,
  metadataCounts,
  umapUrl,
  unlabelledCells,
} from '../catalogue/index.ts';

/** What the explorer needs to know of a dataset before anything is drawn. */
export async function analyseDataset(
  manifest: DatasetManifest,
  datasets: OpenDatasets,
): Promise<DatasetAnalysis> {
  const dataset = await datasets.get(manifest);
  const { roles, processing } = manifest;
  const [cellTypeCounts, clusterCounts, metadata] = await Promise.all([
    countsOf(dataset, roles.cellType),
    countsOf(dataset, roles.cluster),
    metadataCounts(dataset, roles.metadata),
  ]);
  const cellTypes = listedCategories(cellTypeCounts);
  const clusters = listedCategories(clusterCounts);
  const { fields, counts, leftOut } = listedFields(metadata);
  const genes = listedGenes(dataset.genes.symbols);
  const cautions = leftOutCautions({
    cellTypes: cellTypes.leftOut,
    clusters: clusters.leftOut,
    fields: leftOut.length,
    genes: dataset.genes.symbols.length - genes.length,
  });
  return {
    dataset_filename: manifest.id,
    cell_types: [...cellTypes.counts.keys()],
    gene_library: genes,
    leiden_clusters: [...clusters.counts.keys()],
    patient_metadata: fields,
    patient_metadata_counts: counts,
    cell_type_counts: Object.fromEntries(cellTypes.counts),
    unlabelled_cells: cellTypeCounts.size === 0 ? 0 : unlabelledCells(cellTypeCounts, manifest.cellCount),
    leiden_cluster_counts: Object.fromEntries(clusters.counts),
    cell_count: manifest.cellCount,
    gene_count: manifest.geneCount,
    warnings: [...manifest.warnings, ...cautions],
    umap_url: umapUrl(manifest),
    ...(processing && { processing: { ...processing, computed: [...processing.computed] } }),
    version: manifest.version,
  };
}
