import type { GeneratedImage, LibraryImage } from './library-image.ts';

/** The first bytes of a PNG, enough to be detected as one. */
export const pngDataUrl = 'data:image/png;base64,iVBORw0KGgo=';

export function libraryImage(id: string, overrides: Partial<LibraryImage> = {}): LibraryImage {
  return {
    id,
    title: id,
    subtitle: 'Expression UMAP',
    imageUrl: null,
    type: 'gene',
    plotKind: 'umap',
    datasetName: 'd',
    diseaseName: '',
    subsetGroupName: 'Global',
    createdAt: 0,
    saveState: 'yes',
    ...overrides,
  };
}

export function generatedImage(title: string, overrides: Partial<GeneratedImage> = {}): GeneratedImage {
  return {
    title,
    subtitle: 'Expression UMAP',
    imageUrl: pngDataUrl,
    type: 'gene',
    plotKind: 'umap',
    datasetName: 'd',
    diseaseName: '',
    subsetGroupName: 'Global',
    ...overrides,
  };
}
