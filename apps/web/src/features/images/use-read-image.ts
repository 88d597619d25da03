import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '@/lib/services.ts';
import type { LibraryImage } from './library-image.ts';
import { imageKeys, useImageKeeper } from './use-image-keeper.ts';

/** Reads the file of an image: from memory where it has been shown. */
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
