import type { DatasetMetadata } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { datasetMetadataKey, findDataset } from '@/features/catalogue/index.ts';
import { allUserFilesKey } from '@/features/uploads/index.ts';
import type { UserFile } from '@/features/uploads/index.ts';
import { useUserId } from '@/lib/services.ts';
import type { LibraryImage } from './library-image.ts';

/** The dataset that an image is of. */
export interface ImageDataset {
  /** Name of the dataset, as the catalogue or the owner of an upload gives it. */
  dataset: string;
  /** Of another dataset than the one that is open. */
  foreign: boolean;
}

/** What an image is called by readers of the screen: its title, what is shown, of which cells, and elsewhere of what. */
export function imageName(
  image: Pick<LibraryImage, 'title' | 'subtitle' | 'subsetGroupName'>,
  { dataset, foreign }: ImageDataset = { dataset: '', foreign: false },
): string {
  const parts = [image.title, image.subtitle, subsetLabel(image), foreign ? dataset : ''];
  return parts.filter((part) => part !== '').join(', ');
}

/** Letters at the end of '<subtitle> · <subset>' that are shown on the narrowest card: most of the subset's name. */
export const subsetLetters = 9;

/** The subset of an image; empty where it is of all cells. */
export function subsetLabel({ subsetGroupName }: Pick<LibraryImage, 'subsetGroupName'>): string {
  return subsetGroupName === 'Global' ? '' : subsetGroupName;
}

/** The dataset of an image, without the ending of its file; an upload by the first part of its id. */
export function datasetLabel({ datasetName }: Pick<LibraryImage, 'datasetName'>): string {
  const upload = /^custom:([0-9a-f]{8})/.exec(datasetName)?.[1];
  if (upload !== undefined) return `Custom Dataset ${upload}`;
  return datasetName.replace(/\.(h5ad|zarr)$/i, '');
}

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

/** 'Just now' up to a minute, then minutes, from an hour on hours, from a day on the date. */
export function imageAge(createdAt: number, now: number): string {
  const age = now - createdAt;
  if (age <= minute) return 'Just now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  return new Date(createdAt).toLocaleDateString('en-US');
}
