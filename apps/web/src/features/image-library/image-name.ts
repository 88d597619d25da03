import type { LibraryImage } from './library-image.ts';

/** What an image is called by readers of the screen: its title, what is shown, and of which cells. */
export function imageName({
  title,
  ...image
}: Pick<LibraryImage, 'title' | 'subtitle' | 'subsetGroupName'>): string {
  return [title, image.subtitle, subsetLabel(image)].filter((part) => part !== '').join(', ');
}

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
