import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { refusalReason } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';
import { useServices } from '@/lib/services.ts';
import { ImageKeeper } from './image-keeper.ts';
import type { LibraryImage } from './library-image.ts';
import { storedImages, UserNotAuthenticated } from './stored-images.ts';

/** One for each user of a page load: what is being saved goes on when the explorer is left. */
const keepers = new WeakMap<QueryClient, Map<string | null, ImageKeeper>>();

export function useImageKeeper(userId: string | null): ImageKeeper {
  const services = useServices();
  const client = useQueryClient();
  const ofClient = keepers.get(client) ?? new Map<string | null, ImageKeeper>();
  keepers.set(client, ofClient);
  const keeper = ofClient.get(userId) ?? createKeeper(services, client, userId);
  ofClient.set(userId, keeper);
  return keeper;
}

export const imageKeys = {
  list: (userId: string | null) => ['generated-images', userId] as const,
  file: (userId: string | null, id: string) => ['generated-image-file', userId, id] as const,
};

function createKeeper({ tables }: Services, client: QueryClient, userId: string | null): ImageKeeper {
  const list = imageKeys.list(userId);
  const keeper: ImageKeeper = new ImageKeeper({
    store: storedImages(tables, userId),
    current: () => client.getQueryData<readonly LibraryImage[]>(list) ?? [],
    publish: (images) => client.setQueryData(list, images),
    forget: (id) => client.removeQueries({ queryKey: imageKeys.file(userId, id), exact: true }),
    onSaveFailed: (error) => {
      console.warn('An image was not saved.', error);
      const signedOut = error instanceof UserNotAuthenticated;
      const limit = refusalReason(error);
      toast.error('Error', {
        // Thirty images that cannot be saved are one notice.
        id: 'image-not-saved',
        description: signedOut ? error.message : `Failed to save image to library. ${limit}`.trim(),
        // Another try meets the same limit.
        ...(!signedOut &&
          limit === '' && { action: { label: 'Try again', onClick: () => keeper.saveAgain() } }),
      });
    },
  });
  return keeper;
}
