import type { DatasetMetadata } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { datasetMetadataKey, findDataset } from '@/features/catalogue/index.ts';
import type { UserFile } from '@/features/uploads/index.ts';
import { allUserFilesKey } from '@/features/uploads/index.ts';
import { useSession } from '@/lib/services.ts';
import { datasetLabel } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';

type DatasetOfImage = Pick<LibraryImage, 'datasetName' | 'diseaseName'>;

/** The file of an upload that is a dataset. */
export function uploadOf({ datasetName }: Pick<DatasetOfImage, 'datasetName'>): string | undefined {
  return /^custom:(.+)$/.exec(datasetName)?.[1];
}

/** What people call the dataset of an image: by the catalogue, or by the owner of an upload; absent where neither knows. */
export function datasetNameOf(
  image: DatasetOfImage,
  catalogue: DatasetMetadata | undefined,
  files: readonly Pick<UserFile, 'id' | 'file_name'>[] | undefined,
): string | undefined {
  const upload = uploadOf(image);
  if (upload !== undefined) return files?.find(({ id }) => id === upload)?.file_name;
  return findDataset(catalogue, image.datasetName, image.diseaseName)?.dataset.name;
}

/** Names the dataset of an image from what the page has loaded, else by its file. */
export function useDatasetName(): (image: DatasetOfImage) => string {
  const client = useQueryClient();
  const session = useSession();
  return (image) => {
    const userId = session.status === 'signed-in' ? session.user.id : '';
    const catalogue = client.getQueryData<DatasetMetadata>(datasetMetadataKey);
    const files = client.getQueryData<UserFile[]>(allUserFilesKey(userId));
    return datasetNameOf(image, catalogue, files) ?? datasetLabel(image);
  };
}
