import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { SignedInUser } from '@/lib/session-store.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { imageKeys, useImageKeeper } from './image-keeper.ts';
import { useViewerSize, viewerSizeStore } from './viewer-size.ts';
import type { GeneratedImage, ImageIdentity, LibraryImage } from './library-image.ts';
import {
  bringToFront,
  maxGenerated,
  newestInViewer,
  reorder as reordered,
  sameDataset,
  sameImage,
  select as selected,
  withinPages,
} from './library-image.ts';

interface ImageLibraryOptions {
  user: SignedInUser | null;
  /** The UMAP of the full dataset that is open: always first, never deleted, and not a row of the table. */
  defaultImage: LibraryImage;
}

export interface ImageLibrary {
  /** The default image, then the user's generated images of any dataset, newest first. */
  images: readonly LibraryImage[];
  generated: readonly LibraryImage[];
  viewer: readonly string[];
  viewed: readonly LibraryImage[];
  /** Maximum number of images in the viewer. */
  size: number;
  /** Changes the maximum; a viewer that was full is filled with the newest images of the dataset. */
  resize: (size: number) => void;
  /** Images on the pages of the library: those of the open dataset, then, if all are listed, the others. */
  listed: readonly LibraryImage[];
  listing: Listing;
  /** Changes what is listed, now and on later visits. */
  list: (listing: Listing) => void;
  /** Zero-based; a page has four of `listed`. */
  page: number;
  /** The list has not arrived yet: what is shown may change once. */
  loading: boolean;
  /** Number of images the viewer showed here before: space is reserved for them while loading. */
  expected: number;
  /** Loading error of the list; images of this visit are present all the same. */
  error: Error | null;
  reload: () => void;
  find: (identity: ImageIdentity) => LibraryImage | undefined;
  /**
   * Adds figures, shows the newest of this dataset, those of `beside` before older ones, and saves them one at a time.
   * Safe to call from a callback of an older render.
   */
  add: (
    images: readonly GeneratedImage[],
    beside?: readonly string[],
  ) => { added: number; dropped: number; keptCount: number };
  /**
   * Shows an image in place of another, or in front if that is not shown; a newly drawn one is added to the library.
   */
  replace: (id: string, image: LibraryImage | GeneratedImage) => void;
  show: (ids: readonly string[]) => void;
  select: (id: string) => void;
  remove: (id: string) => void;
  delete: (id: string) => void;
  toPage: (page: number) => void;
  reorder: (from: number, to: number) => void;
  saveAgain: () => void;
}

const notDeleted = 'image-not-deleted';

export type Listing = 'all' | 'dataset';

const local = () => localStorage;
const listingKey = 'cellfolio:library-listing';

/** The user's stored images, without their pictures. Requested while a dataset opens, so that both arrive together. */
export function useStoredImages(userId: string | null) {
  const keeper = useImageKeeper(userId);
  return useQuery({
    queryKey: imageKeys.list(userId),
    queryFn: ({ signal }) => keeper.list(signal),
    enabled: userId !== null,
    // What is added here goes into this entry: it must outlive the page that shows it.
    gcTime: Infinity,
  });
}

function tellDeleted({ title, subtitle }: LibraryImage, deletion: Promise<unknown>): void {
  deletion.then(
    () => {
      toast.dismiss(notDeleted);
      return toast.success('Image Deleted', { description: `${title}, ${subtitle}` });
    },
    (error: unknown) => {
      console.warn('An image was not deleted.', error);
      toast.error('Error', { id: notDeleted, description: 'Failed to delete image. Please try again.' });
    },
  );
}

export function useImageLibrary({ user, defaultImage }: ImageLibraryOptions): ImageLibrary {
  const userId = user?.id ?? null;
  const keeper = useImageKeeper(userId);
  const stored = useStoredImages(userId);
  // `null` until the user or a new image decides.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);

  const generated = useMemo(() => stored.data ?? [], [stored.data]);
  const images = useMemo(() => [defaultImage, ...generated], [defaultImage, generated]);
  const size = useViewerSize();
  const opening = useMemo(
    () => newestInViewer(generated, defaultImage, size),
    [generated, defaultImage, size],
  );
  const viewed = useMemo(
    () => (chosen ?? opening).flatMap((id) => images.find((image) => image.id === id) ?? []).slice(0, size),
    [chosen, opening, images, size],
  );
  const viewer = useMemo(() => viewed.map(({ id }) => id), [viewed]);
  const choose = useCallback(
    (next: (viewer: readonly string[]) => readonly string[]) =>
      setChosen((current) =>
        next(
          (current ?? opening)
            .filter((id) => images.some((image) => image.id === id))
            .slice(0, viewerSizeStore.get()),
        ),
      ),
    [opening, images],
  );

  // Room for the images of a link is for this visit of the dataset.
  useEffect(() => viewerSizeStore.reset, []);
  const { setPage, ...pages } = useListing(images, defaultImage);
  const loading = stored.isPending && stored.fetchStatus !== 'idle';
  const hint = `cellfolio:viewer:${userId ?? ''}:${defaultImage.datasetName}`;
  const shown = loading ? null : viewer.length;
  useEffect(() => {
    if (shown !== null) writeStored(local, hint, String(shown));
  }, [hint, shown]);

  return {
    images,
    generated,
    viewer,
    viewed,
    size,
    resize: (next) => {
      if (viewer.length >= size) {
        const newest = newestInViewer(generated, defaultImage, viewer.length + next);
        choose((shown) => [...new Set([...shown, ...newest])].slice(0, next));
      }
      viewerSizeStore.set(next);
    },
    ...pages,
    loading,
    expected: loading ? Math.min(size, Number(readStored(local, hint)) || 1) : 0,
    error: stored.error,
    reload: () => void stored.refetch(),
    find: (identity) => images.find((image) => sameImage(image, identity)),
    add: (fresh, beside = []) => {
      if (fresh.length === 0) return { added: 0, dropped: 0, keptCount: maxGenerated };
      const { generated: now, added, dropped } = keeper.add(fresh);
      const size = viewerSizeStore.get();
      const newest = newestInViewer(now, defaultImage, size);
      setChosen([...new Set([...newest.slice(0, added), ...beside, ...newest])].slice(0, size));
      setPage(0);
      return { added, dropped, keptCount: maxGenerated };
    },
    replace: (id, image) => {
      const next = 'id' in image ? image.id : keeper.add([image]).generated[0]!.id;
      setChosen((current) => {
        const shown = (current ?? opening).filter((other) => other !== next);
        return shown.includes(id)
          ? shown.map((other) => (other === id ? next : other))
          : bringToFront(shown, [next], viewerSizeStore.get());
      });
    },
    show: (ids) =>
      choose((shown) =>
        bringToFront(
          shown,
          ids.filter((id) => images.some((image) => image.id === id)),
          viewerSizeStore.get(),
        ),
      ),
    select: (id) => choose((shown) => selected(shown, id, size)),
    remove: (id) => choose((shown) => shown.filter((other) => other !== id)),
    delete: (id) => {
      const image = generated.find((other) => other.id === id);
      if (image === undefined) return;
      // The others stay where they are, and this one comes back to its place should the server refuse.
      choose((shown) => shown);
      tellDeleted(image, keeper.remove(image));
    },
    reorder: (from, to) => choose((shown) => reordered(shown, from, to)),
    saveAgain: () => keeper.saveAgain(),
  };
}

/** Images on the pages of the library, and the page that is shown. */
function useListing(images: readonly LibraryImage[], defaultImage: LibraryImage) {
  const [page, setPage] = useState(0);
  const [listing, setListing] = useState<Listing>(() =>
    readStored(local, listingKey) === 'dataset' ? 'dataset' : 'all',
  );
  const listed = useMemo(() => {
    const here = images.filter((image) => sameDataset(image, defaultImage));
    return listing === 'dataset'
      ? here
      : [...here, ...images.filter((image) => !sameDataset(image, defaultImage))];
  }, [listing, images, defaultImage]);
  return {
    listed,
    listing,
    list: (next: Listing) => {
      setListing(next);
      setPage(0);
      writeStored(local, listingKey, next);
    },
    page: withinPages(page, listed.length),
    setPage,
    toPage: (next: number) => setPage(withinPages(next, listed.length)),
  };
}
