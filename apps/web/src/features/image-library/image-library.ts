import type { LibraryImage } from './library-image.ts';

export const maxInViewer = 4;
export const imagesPerPage = 4;
export const maxGenerated = 30;

/** The default image is first and stays; the others follow, newest first. */
export interface ImageLibrary {
  images: readonly LibraryImage[];
  /** Ids of the images in the main viewer, in their order. */
  viewer: readonly string[];
  /** From 0. */
  page: number;
}

export type ImageLibraryAction =
  | { type: 'generated'; images: readonly LibraryImage[] }
  | { type: 'show'; ids: readonly string[] }
  | { type: 'select'; id: string }
  | { type: 'remove'; id: string }
  | { type: 'delete'; id: string }
  | { type: 'page'; page: number };

export function openLibrary(defaultImage: LibraryImage): ImageLibrary {
  return { images: [defaultImage], viewer: [defaultImage.id], page: 0 };
}

export function pageCount(library: ImageLibrary): number {
  return Math.max(1, Math.ceil(library.images.length / imagesPerPage));
}

/** How many generated images have to go when so many come. */
export function droppedBy(library: ImageLibrary, added: number): number {
  return Math.max(0, generatedImages(library).length + added - maxGenerated);
}

/** All but the default image. */
export function generatedImages({ images }: ImageLibrary): readonly LibraryImage[] {
  return partition(images)[1];
}

export function imageLibraryReducer(library: ImageLibrary, action: ImageLibraryAction): ImageLibrary {
  switch (action.type) {
    case 'generated': {
      const [standing, others] = partition(library.images);
      // At the limit the oldest go first.
      const generated = [...action.images, ...others].slice(0, maxGenerated);
      // The newest up to four are shown; the default image is the oldest of all.
      const viewer = [...generated, ...standing].slice(0, maxInViewer).map(({ id }) => id);
      return { images: [...standing, ...generated], viewer, page: 0 };
    }
    case 'show': {
      const known = action.ids.filter((id) => library.images.some((image) => image.id === id));
      const others = library.viewer.filter((id) => !known.includes(id));
      return { ...library, viewer: [...known, ...others].slice(0, maxInViewer) };
    }
    case 'select':
      return library.viewer.includes(action.id) || library.viewer.length >= maxInViewer
        ? library
        : { ...library, viewer: [...library.viewer, action.id] };
    case 'remove':
      return { ...library, viewer: library.viewer.filter((id) => id !== action.id) };
    case 'delete': {
      const images = library.images.filter((image) => image.id !== action.id || image.type === 'default');
      if (images.length === library.images.length) return library;
      const viewer = library.viewer.filter((id) => id !== action.id);
      return withinPages({ ...library, images, viewer });
    }
    case 'page':
      return withinPages({ ...library, page: action.page });
  }
}

function partition(images: readonly LibraryImage[]): [LibraryImage[], LibraryImage[]] {
  return [images.filter(({ type }) => type === 'default'), images.filter(({ type }) => type !== 'default')];
}

function withinPages(library: ImageLibrary): ImageLibrary {
  return { ...library, page: Math.min(Math.max(0, library.page), pageCount(library) - 1) };
}
