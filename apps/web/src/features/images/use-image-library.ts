import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { SignedInUser } from '@/lib/session-store.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { imageKeys, useImageKeeper } from './image-keeper.ts';
import type { GeneratedImage, ImageIdentity, LibraryImage } from './library-image.ts';
import {
  bringToFront,
  maxGenerated,
  maxInViewer,
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
  /** The images that the pages of the library hold: those of the open dataset, then, where all are listed, the others. */
  listed: readonly LibraryImage[];
  listing: Listing;
  /** Changes what is listed, here and on later visits. */
  list: (listing: Listing) => void;
  /** From 0: pages of four of `listed`. */
  page: number;
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
   * Takes figures in, shows the newest up to four of this dataset, and saves them one after the other. Safe to call from a callback
   * of an older render.
   */
  add: (images: readonly GeneratedImage[]) => { added: number; dropped: number; kept: number };
  /** Shows an image in the place of another, or in front where that is not shown: a drawn one is taken in. */
  replace: (id: string, image: LibraryImage | GeneratedImage) => void;
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

const notDeleted = 'image-not-deleted';

/** Images of whatever dataset, or of the one that is open. */
export type Listing = 'all' | 'dataset';

const local = () => localStorage;
const listingKey = 'cellfolio:library-listing';

/** The images that the user has stored, without their pictures. Asked for while a dataset opens, it is there with it. */
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

/** The image library of one user in the explorer of one dataset. */
export function useImageLibrary({ user, defaultImage }: ImageLibraryOptions): ImageLibrary {
  const userId = user?.id ?? null;
  const keeper = useImageKeeper(userId);
  const stored = useStoredImages(userId);
  // `null` until the user or a new image decides.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [page, setPage] = useState(0);
  const [listing, setListing] = useState<Listing>(() =>
    readStored(local, listingKey) === 'dataset' ? 'dataset' : 'all',
  );

  const generated = useMemo(() => stored.data ?? [], [stored.data]);
  const images = useMemo(() => [defaultImage, ...generated], [defaultImage, generated]);
  const opening = useMemo(() => newestInViewer(generated, defaultImage), [generated, defaultImage]);
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

  const listed = useMemo(() => {
    const here = images.filter((image) => sameDataset(image, defaultImage));
    return listing === 'dataset'
      ? here
      : [...here, ...images.filter((image) => !sameDataset(image, defaultImage))];
  }, [listing, images, defaultImage]);
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
    listed,
    listing,
    list: (next) => {
      setListing(next);
      setPage(0);
      writeStored(local, listingKey, next);
    },
    page: withinPages(page, listed.length),
    loading,
    expected: loading ? Math.min(maxInViewer, Number(readStored(local, hint)) || 1) : 0,
    error: stored.error,
    reload: () => void stored.refetch(),
    find: (identity) => images.find((image) => sameImage(image, identity)),
    add: (fresh) => {
      if (fresh.length === 0) return { added: 0, dropped: 0, kept: maxGenerated };
      const { generated: now, added, dropped } = keeper.add(fresh);
      setChosen(newestInViewer(now, defaultImage));
      setPage(0);
      return { added, dropped, kept: maxGenerated };
    },
    replace: (id, image) => {
      const next = 'id' in image ? image.id : keeper.add([image]).generated[0]!.id;
      setChosen((current) => {
        const shown = (current ?? opening).filter((other) => other !== next);
        return shown.includes(id)
          ? shown.map((other) => (other === id ? next : other))
          : bringToFront(shown, [next]);
      });
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
      tellDeleted(image, keeper.remove(image));
    },
    toPage: (next) => setPage(withinPages(next, listed.length)),
    reorder: (from, to) => choose((shown) => reordered(shown, from, to)),
    saveAgain: () => keeper.saveAgain(),
  };
}
