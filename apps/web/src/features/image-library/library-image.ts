export type ImageType = 'default' | 'gene' | 'cellType' | 'leiden';

/** An image of the library, as long as the page is open. */
export interface LibraryImage {
  id: string;
  title: string;
  subtitle: string;
  /** An address, or a PNG as a data URL. */
  imageUrl: string;
  type: ImageType;
  plotKind: 'umap' | 'violin';
  datasetName: string;
  diseaseName: string;
  /** 'Global' for the whole dataset. */
  subsetGroupName: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** What makes two images the same: the duplicate guard compares these. */
export function sameImage(a: ImageIdentity, b: ImageIdentity): boolean {
  return (
    a.title === b.title &&
    a.type === b.type &&
    a.plotKind === b.plotKind &&
    a.datasetName === b.datasetName &&
    a.diseaseName === b.diseaseName &&
    a.subsetGroupName === b.subsetGroupName
  );
}

export type ImageIdentity = Pick<
  LibraryImage,
  'title' | 'type' | 'plotKind' | 'datasetName' | 'diseaseName' | 'subsetGroupName'
>;
