import type { LibraryImage } from './library-image.ts';

/** '<dataset>_<title>_UMAP.png', of characters that every file system takes. */
export function imageFileName({
  datasetName,
  title,
  plotKind,
}: Pick<LibraryImage, 'datasetName' | 'title' | 'plotKind'>) {
  const dataset = datasetName.replace(/\.(h5ad|zarr)$/i, '');
  return `${[dataset, title, plotKind === 'umap' ? 'UMAP' : 'Violin'].map(safe).join('_')}.png`;
}

function safe(part: string): string {
  return part.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/^[_.]+|_+$/g, '');
}

/** Saves the image under its built name. @throws where the image cannot be read. */
export async function downloadImage(image: LibraryImage): Promise<void> {
  const url = URL.createObjectURL(await readImage(image.imageUrl));
  try {
    const link = document.createElement('a');
    link.href = url;
    link.download = imageFileName(image);
    link.click();
  } finally {
    // The browser has taken the blob by the next turn; holding it longer would only cost memory.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

async function readImage(url: string): Promise<Blob> {
  const data = /^data:(image\/png);base64,(.*)$/s.exec(url);
  // Decoded here rather than fetched: a strict policy does not let a page connect to data: addresses.
  if (data?.[2] !== undefined) {
    return new Blob([Uint8Array.from(atob(data[2]), (character) => character.charCodeAt(0))], {
      type: 'image/png',
    });
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.blob();
}
