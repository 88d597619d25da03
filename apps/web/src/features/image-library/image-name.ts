import type { LibraryImage } from './library-image.ts';

/** What an image is called by readers of the screen: its title and what is shown. */
export function imageName({ title, subtitle }: Pick<LibraryImage, 'title' | 'subtitle'>): string {
  return subtitle === '' ? title : `${title}, ${subtitle}`;
}

/** The dataset of an image, without the ending of its file; an upload by the first part of its id. */
export function datasetLabel({ datasetName }: Pick<LibraryImage, 'datasetName'>): string {
  const upload = /^custom:([0-9a-f]{8})/.exec(datasetName)?.[1];
  if (upload !== undefined) return `Custom Dataset ${upload}`;
  return datasetName.replace(/\.(h5ad|zarr)$/i, '');
}
