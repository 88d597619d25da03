import type { GenePlot } from '@cellfolio/contract';
import type { GeneratedImage, ImageIdentity, LibraryImage } from '@/features/image-library/library-image.ts';

/** The dataset, disease and subset that an image is of. */
export type ImageScope = Pick<LibraryImage, 'datasetName' | 'diseaseName' | 'subsetGroupName'>;

/** The UMAP of the whole dataset, coloured by cell type: always in the library. */
export function defaultImage(scope: ImageScope, imageUrl: string, createdAt: number): LibraryImage {
  return {
    ...scope,
    id: 'default',
    title: 'Cell types',
    subtitle: 'Full dataset UMAP',
    imageUrl,
    type: 'default',
    plotKind: 'umap',
    createdAt,
    kept: 'yes',
    source: { dataset_filename: scope.datasetName, content: { kind: 'default-umap' } },
  };
}

export function geneImageIdentity(
  scope: ImageScope,
  gene: string,
  plotKind: LibraryImage['plotKind'],
): ImageIdentity {
  return { ...scope, title: gene, type: 'gene', plotKind };
}

export function geneImage(scope: ImageScope, plot: GenePlot): GeneratedImage {
  return {
    ...geneImageIdentity(scope, plot.gene, plot.plot_type),
    subtitle: plot.plot_type === 'umap' ? 'Expression UMAP' : 'Expression by cell type',
    imageUrl: plot.image.value,
    source: plot.source,
  };
}
