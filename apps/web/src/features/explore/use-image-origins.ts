import type { DatasetMetadata } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLostColumns } from '@/features/annotations/index.ts';
import type { CurrentSubset, ImageOrigin, LibraryImage } from '@/features/images/index.ts';
import { datasetNameOf, imageOrigin, uploadOf } from '@/features/images/index.ts';
import type { ActiveSubset, CellGroup, SavedSubsets } from '@/features/subsets/index.ts';
import { listSubsetsOf } from '@/features/subsets/index.ts';
import { useUserFiles } from '@/features/uploads/index.ts';
import { useServices } from '@/lib/services.ts';
import { globalGroup } from './explorer-images.ts';

interface ImageOriginsOptions {
  /** The open dataset, its display name, and the server's version; `null` for one that is not open. */
  dataset: { datasetName: string; diseaseName: string; name: string; version: string | null };
  /** Absent when it could not be loaded. */
  catalogue: DatasetMetadata | undefined;
  images: readonly LibraryImage[];
  userId: string;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
}

/**
 * The origin of each image of the library. Other datasets are queried only if images need them. `addCells` names cells
 * that are no saved subset, as of a question: their images are of cells that still exist.
 */
export function useImageOrigins({
  dataset,
  catalogue,
  images,
  userId,
  subsets,
  activeSubset,
}: ImageOriginsOptions) {
  const { tables } = useServices();
  const { datasetName, diseaseName, name, version } = dataset;
  const lostOf = useLostColumns(datasetName);
  const [unsaved, setUnsaved] = useState<readonly CellGroup[]>([]);
  const isForeign = (image: LibraryImage) =>
    image.datasetName !== datasetName || image.diseaseName !== diseaseName;
  const foreign = images.filter(isForeign);

  const uploads = foreign.some((image) => uploadOf(image) !== undefined);
  const files = useUserFiles(userId, { enabled: uploads && userId !== '' }).data;
  const ofSubsets = foreign.filter(({ subsetGroupName }) => subsetGroupName !== globalGroup);
  const others = Array.from(new Set(ofSubsets.map((image) => image.datasetName))).toSorted();
  const elsewhere = useQuery({
    queryKey: ['subsets', userId, 'of datasets', ...others],
    queryFn: ({ signal }) => listSubsetsOf(tables, userId, others, signal),
    enabled: others.length > 0 && userId !== '',
  }).data;

  const nameOf = (image: LibraryImage): string | undefined => {
    if (!isForeign(image) && name !== '') return name;
    return datasetNameOf(image, catalogue, files);
  };
  const { group } = activeSubset.active;
  const subsetsOf = (image: LibraryImage): readonly CurrentSubset[] | undefined => {
    if (isForeign(image)) {
      return elsewhere?.filter(
        (subset) => subset.datasetName === image.datasetName && subset.diseaseName === image.diseaseName,
      );
    }
    // A subset from a URL is not saved; it exists while active.
    const saved: readonly CurrentSubset[] | undefined = subsets.list.data;
    return saved?.concat(unsaved, group?.id === null ? group : []);
  };
  const originOf = (image: LibraryImage): ImageOrigin =>
    imageOrigin(image, {
      datasetName: nameOf(image),
      foreign: isForeign(image),
      // What the server has now of another dataset is unknown.
      version: isForeign(image) ? undefined : version,
      lost: isForeign(image) ? null : lostOf(image.source),
      subsets: subsetsOf(image),
    });
  return { originOf, addCells: (cells: CellGroup) => setUnsaved((before) => [...before, cells]) };
}
