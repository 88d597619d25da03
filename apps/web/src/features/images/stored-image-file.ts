import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FigureWords, useFigureWords } from '@/lib/figure-words.ts';
import { useSession } from '@/lib/services.ts';
import { imageKeys, useImageKeeper } from './image-keeper.ts';
import { useObjectUrl } from './image-data.ts';
import type { LibraryImage } from './library-image.ts';

export function useReadImage(): (image: LibraryImage) => Promise<Blob> {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : null;
  const keeper = useImageKeeper(userId);
  const client = useQueryClient();
  return async (image) => {
    if (image.imageUrl !== null) return fetchImage(image.imageUrl);
    return client.ensureQueryData({
      queryKey: imageKeys.file(userId, image.id),
      queryFn: ({ signal }) => keeper.file(image.id, signal),
    });
  };
}

async function fetchImage(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.blob();
}

interface ImageFile {
  /** `null` while the file is loading or if it is unavailable. */
  url: string | null;
  words: FigureWords | undefined;
  failed: boolean;
  retry: () => void;
}

/** URL at which an image of the library can be shown; its file is loaded on first use. */
export function useImageFile(image: LibraryImage): ImageFile {
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : null;
  const keeper = useImageKeeper(userId);
  const file = useQuery({
    queryKey: imageKeys.file(userId, image.id),
    queryFn: ({ signal }) => keeper.file(image.id, signal),
    enabled: image.imageUrl === null,
    // A figure never changes.
    staleTime: Infinity,
  });
  const url = useObjectUrl(file.data ?? null);
  return {
    url: image.imageUrl ?? url,
    words: useFigureWords(file.data),
    failed: file.isError,
    retry: () => void file.refetch(),
  };
}
