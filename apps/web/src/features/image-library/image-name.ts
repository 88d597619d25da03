import type { LibraryImage } from './library-image.ts';

/** What an image is called by readers of the screen: its title and what is shown. */
export function imageName({ title, subtitle }: Pick<LibraryImage, 'title' | 'subtitle'>): string {
  return subtitle === '' ? title : `${title}, ${subtitle}`;
}

/** The dataset of an image, without the ending of its file. */
export function datasetLabel({ datasetName }: Pick<LibraryImage, 'datasetName'>): string {
  return datasetName.replace(/\.(h5ad|zarr)$/i, '');
}
