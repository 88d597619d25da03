import type { DatasetMetadata } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { datasetMetadataKey, findDataset } from '@/features/catalogue/index.ts';
import { allUserFilesKey } from '@/features/uploads/index.ts';
import type { UserFile } from '@/features/uploads/index.ts';
import { useUserId } from '@/lib/services.ts';
import type { LibraryImage } from './library-image.ts';

export interface ImageDataset {
  dataset: string;
  /** Not the dataset that is open. */
  foreign: boolean;
}

/** Accessible name of an image: its title, what it shows, its cells and, if foreign, its dataset. */
export function imageName(
  image: Pick<LibraryImage, 'title' | 'subtitle' | 'subsetGroupName'>,
  { dataset, foreign }: ImageDataset = { dataset: '', foreign: false },
): string {
  const parts = [image.title, image.subtitle, subsetLabel(image), foreign ? dataset : ''];
  return parts.filter((part) => part !== '').join(', ');
}

/** Letters at the end of '<subtitle> · <subset>' that are shown on the narrowest card: most of the subset's name. */
export const subsetLetters = 9;

/** Empty for all cells. */
export function subsetLabel({ subsetGroupName }: Pick<LibraryImage, 'subsetGroupName'>): string {
  return subsetGroupName === 'Global' ? '' : subsetGroupName;
}

/** Dataset name without the file extension; the first 8 digits of the id for an upload. */
export function datasetLabel({ datasetName }: Pick<LibraryImage, 'datasetName'>): string {
  const upload = /^custom:([0-9a-f]{8})/.exec(datasetName)?.[1];
  if (upload !== undefined) return `Custom Dataset ${upload}`;
  return datasetName.replace(/\.(h5ad|zarr)$/i, '');
}

type DatasetOfImage = Pick<LibraryImage, 'datasetName' | 'diseaseName'>;

/** File id of an uploaded dataset; undefined for others. */
export function uploadOf({ datasetName }: Pick<DatasetOfImage, 'datasetName'>): string | undefined {
  return /^custom:(.+)$/.exec(datasetName)?.[1];
}

/** Display name of an image's dataset, from the catalogue or the owner of the upload; undefined if neither knows it. */
export function datasetNameOf(
  image: DatasetOfImage,
  catalogue: DatasetMetadata | undefined,
  files: readonly Pick<UserFile, 'id' | 'file_name'>[] | undefined,
): string | undefined {
  const upload = uploadOf(image);
  if (upload !== undefined) return files?.find(({ id }) => id === upload)?.file_name;
  return findDataset(catalogue, image.datasetName, image.diseaseName)?.dataset.name;
}

export function useDatasetName(): (image: DatasetOfImage) => string {
  const client = useQueryClient();
  const userId = useUserId();
  return (image) => {
    const catalogue = client.getQueryData<DatasetMetadata>(datasetMetadataKey);
    const files = client.getQueryData<UserFile[]>(allUserFilesKey(userId));
    return datasetNameOf(image, catalogue, files) ?? datasetLabel(image);
  };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'Just now' up to a minute, then minutes, hours from one hour on, the date from one day on. */
export function imageAge(createdAt: number, now: number): string {
  const age = now - createdAt;
  if (age <= minute) return 'Just now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  return new Date(createdAt).toLocaleDateString('en-US');
}
