import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { SignedInUser } from '@/lib/session-store.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import type { GeneratedImage, ImageIdentity, LibraryImage } from './library-image.ts';
import { sameImage } from './library-image.ts';
import {
  bringToFront,
  maxGenerated,
  maxInViewer,
  newestInViewer,
  pageCount,
  reorder as reordered,
  select as selected,
  withinPages,
} from './library-rules.ts';
import { imageKeys, useImageKeeper } from './use-image-keeper.ts';

export interface ImageLibraryOptions {
  datasetName: string;
  diseaseName: string;
  user: SignedInUser | null;
  /** The UMAP of the full dataset: always first, never deleted, and not a row of the table. */
  defaultImage: LibraryImage;
  /** Ids to show at first, as from an address; those that do not exist are passed over. */
  initialViewer?: readonly string[] | undefined;
}

/** The user's images and what is shown of them. */
export interface ImageLibrary {
  /** The default image, then the generated ones of the user, of whatever dataset, newest first. */
  images: readonly LibraryImage[];
  /** `images` without the default one. */
  generated: readonly LibraryImage[];
  /** Ids of the images in the main viewer, in their order. */
  viewer: readonly string[];
  /** The images of the viewer, in their order. */
  viewed: readonly LibraryImage[];
  /** From 0. */
  page: number;
  pages: number;
  /** The list has not come yet: what is shown may change once. */
  loading: boolean;
  /** How many images the viewer showed here before: while loading, room is kept for them. */
  expected: number;
  /** Why the list could not be loaded; images of this visit are there all the same. */
  error: Error | null;
  reload: () => void;
  /** The image that the duplicate guard would find. */
  find: (identity: ImageIdentity) => LibraryImage | undefined;
  /**
   * Takes figures in, shows the newest up to four, and saves them one after the other. Safe to call from a callback
   * of an older render.
   */
  add: (images: readonly GeneratedImage[]) => { added: number; dropped: number; kept: number };
  /** Brings images to the front of the viewer. */
  show: (ids: readonly string[]) => void;
  /** Puts one more into the viewer, unless it is full. */
  select: (id: string) => void;
  /** Takes an image out of the viewer; it stays in the library. */
  remove: (id: string) => void;
  /** Deletes an image from library and server, and says so. */
  delete: (id: string) => void;
  toPage: (page: number) => void;
  /** Moves the card at one place of the viewer to another. */
  reorder: (from: number, to: number) => void;
  /** Tries again to save the images that could not be saved. */
  saveAgain: () => void;
}

const local = () => localStorage;

/** The image library of one user in the explorer of one dataset. */
export function useImageLibrary({
  datasetName,
  diseaseName,
  user,
  defaultImage,
  initialViewer,
}: ImageLibraryOptions): ImageLibrary {
  const userId = user?.id ?? null;
  const keeper = useImageKeeper(userId);
  const list = useQuery({
    queryKey: imageKeys.list(userId),
    queryFn: ({ signal }) => keeper.list(signal),
    enabled: userId !== null,
    // What is added here goes into this entry: it must outlive the page that shows it.
    gcTime: Infinity,
  });
  // `null` until the user or a new image decides.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [page, setPage] = useState(0);

  const generated = useMemo(() => list.data ?? [], [list.data]);
  const images = useMemo(() => [defaultImage, ...generated], [defaultImage, generated]);
  const opening = useMemo(() => {
    const known = (initialViewer ?? []).filter((id) => images.some((image) => image.id === id));
    if (known.length > 0) return known;
    const here = generated.filter(
      (image) => image.datasetName === datasetName && image.diseaseName === diseaseName,
    );
    return newestInViewer(here, defaultImage);
  }, [initialViewer, images, generated, datasetName, diseaseName, defaultImage]);
  const viewed = useMemo(
    () => (chosen ?? opening).flatMap((id) => images.find((image) => image.id === id) ?? []),
    [chosen, opening, images],
  );
  const viewer = useMemo(() => viewed.map(({ id }) => id), [viewed]);
  /** The choice of the user, taken from what is shown now. */
  const choose = useCallback(
    (next: (viewer: readonly string[]) => readonly string[]) =>
      setChosen((current) =>
        next((current ?? opening).filter((id) => images.some((image) => image.id === id))),
      ),
    [opening, images],
  );

  const loading = list.isPending && list.fetchStatus !== 'idle';
  const hint = `cellfolio:viewer:${userId ?? ''}:${datasetName}`;
  const shown = loading ? null : viewer.length;
  useEffect(() => {
    if (shown !== null) writeStored(local, hint, String(shown));
  }, [hint, shown]);

  return {
    images,
    generated,
    viewer,
    viewed,
    page: withinPages(page, images.length),
    pages: pageCount(images.length),
    loading,
    expected: loading ? Math.min(maxInViewer, Number(readStored(local, hint)) || 0) : 0,
    error: list.error,
    reload: () => void list.refetch(),
    find: (identity) => images.find((image) => sameImage(image, identity)),
    add: (fresh) => {
      if (fresh.length === 0) return { added: 0, dropped: 0, kept: maxGenerated };
      const { generated: now, added, dropped } = keeper.add(fresh);
      setChosen(newestInViewer(now, defaultImage));
      setPage(0);
      return { added, dropped, kept: maxGenerated };
    },
    show: (ids) =>
      choose((shown) =>
        bringToFront(
          shown,
          ids.filter((id) => images.some((image) => image.id === id)),
        ),
      ),
    select: (id) => choose((shown) => selected(shown, id)),
    remove: (id) => choose((shown) => shown.filter((other) => other !== id)),
    delete: (id) => {
      const image = generated.find((other) => other.id === id);
      if (image === undefined) return;
      // The others stay where they are, and this one comes back to its place should the server refuse.
      choose((shown) => shown);
      keeper.remove(image).then(
        () => toast.success('Image Deleted', { description: `${image.title}, ${image.subtitle}` }),
        (error: unknown) => {
          console.warn('An image was not deleted.', error);
          toast.error('Error', { description: 'Failed to delete image. Please try again.' });
        },
      );
    },
    toPage: (next) => setPage(withinPages(next, images.length)),
    reorder: (from, to) => choose((shown) => reordered(shown, from, to)),
    saveAgain: () => keeper.saveAgain(),
  };
}
