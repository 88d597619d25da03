import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { randomId } from '@/lib/session-id.ts';
import { refusalReason } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';
import { useServices } from '@/lib/services.ts';
import { readImageData } from './image-data.ts';
import type { GeneratedImage, LibraryImage } from './library-image.ts';
import { maxGenerated, newestFirst } from './library-image.ts';
import type { StoredImages } from './stored-images.ts';
import { storedImages, UserNotAuthenticated } from './stored-images.ts';

/** One per user and page load: saving continues when the explorer is left. */
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
        // A retry would exceed the same limit.
        ...(!signedOut &&
          limit === '' && { action: { label: 'Try again', onClick: () => keeper.saveAgain() } }),
      });
    },
  });
  return keeper;
}

interface ImageKeeperOptions {
  store: StoredImages;
  current: () => readonly LibraryImage[];
  publish: (images: readonly LibraryImage[]) => void;
  forget: (id: string) => void;
  onSaveFailed: (error: unknown) => void;
}

/**
 * Shows new images at once and saves them in the background, one at a time: thirty figures are ten megabytes of text,
 * and sending them all together would block typing. Deletion is optimistic and reverted if the server refuses.
 */
export class ImageKeeper {
  readonly #options: ImageKeeperOptions;
  /** Data URLs of the images that are not saved yet. */
  readonly #drawn = new Map<string, string>();
  /** Images added here, until a server list newer than their saving arrives. */
  readonly #added = new Map<string, LibraryImage>();
  readonly #gone = new Set<string>();
  #queue: string[] = [];
  #saving: Promise<void> | null = null;

  constructor(options: ImageKeeperOptions) {
    this.#options = options;
  }

  /** The server's list, plus the images still being saved, minus those being deleted. */
  async list(signal?: AbortSignal): Promise<LibraryImage[]> {
    const savedBefore = [...this.#added.values()].filter(({ saveState }) => saveState === 'yes');
    const rows = await this.#options.store.list(signal);
    for (const { id } of savedBefore) this.#added.delete(id);
    const images = new Map([...rows, ...this.#added.values()].map((image) => [image.id, image]));
    for (const id of this.#gone) images.delete(id);
    return newestFirst([...images.values()]).slice(0, maxGenerated);
  }

  async file(id: string, signal?: AbortSignal): Promise<Blob> {
    const dataUrl = this.#drawn.get(id);
    return dataUrl === undefined ? this.#options.store.file(id, signal) : readImageData(dataUrl);
  }

  /** Prepends images in their order; returns how many are added and how many had to be dropped. */
  add(images: readonly GeneratedImage[]): {
    generated: readonly LibraryImage[];
    added: number;
    dropped: number;
  } {
    const before = this.#options.current();
    // Later than any other, also where another device's clock is ahead: the order is the one of the times.
    const latest = Math.max(Date.now(), (before[0]?.createdAt ?? 0) + images.length);
    const fresh = images.map(({ imageUrl, ...image }, place) => {
      const id = randomId();
      this.#drawn.set(id, imageUrl);
      return { ...image, id, imageUrl: null, createdAt: latest - place, saveState: 'saving' as const };
    });
    const all = [...fresh, ...before];
    const libraryImages = all.slice(0, maxGenerated);
    const added = fresh.slice(0, maxGenerated);
    for (const image of added) this.#added.set(image.id, image);
    for (const { id } of all.slice(maxGenerated)) {
      this.#drop(id);
      this.#options.forget(id);
    }
    this.#options.publish(libraryImages);
    this.#save(added.map(({ id }) => id));
    return { generated: libraryImages, added: added.length, dropped: all.length - libraryImages.length };
  }

  /** Deletes an image. Throws ImageStoreFailed after restoring it. */
  async remove(image: LibraryImage): Promise<void> {
    const dataUrl = this.#drawn.get(image.id);
    const latest = this.#added.get(image.id);
    this.#drop(image.id);
    this.#options.publish(this.#options.current().filter(({ id }) => id !== image.id));
    if (image.saveState === 'failed') {
      this.#options.forget(image.id);
      // It may have arrived though its answer did not; where it has not, there is nothing to say.
      await this.#options.store.remove([image.id]).catch(() => {});
      return;
    }
    try {
      // One that is being saved is deleted when it is there: see #saveOne.
      if (dataUrl === undefined) await this.#options.store.remove([image.id]);
      // Not before: where the server refuses, the picture is shown again, and may not be had a second time.
      this.#options.forget(image.id);
    } catch (error) {
      this.#gone.delete(image.id);
      if (latest) this.#added.set(image.id, latest);
      this.#options.publish(newestFirst([image, ...this.#options.current()]).slice(0, maxGenerated));
      throw error;
    }
  }

  saveAgain(): void {
    const failed = [...this.#added.values()]
      .filter(({ saveState }) => saveState === 'failed')
      .map(({ id }) => id);
    for (const id of failed) this.#mark(id, 'saving');
    this.#save(failed);
  }

  async idle(): Promise<void> {
    while (this.#saving !== null) await this.#saving;
  }

  #drop(id: string): void {
    this.#queue = this.#queue.filter((queued) => queued !== id);
    this.#added.delete(id);
    this.#drawn.delete(id);
    this.#gone.add(id);
  }

  #mark(id: string, saveState: LibraryImage['saveState']): void {
    const image = this.#added.get(id);
    if (image === undefined) return;
    const marked = { ...image, saveState };
    this.#added.set(id, marked);
    this.#options.publish(this.#options.current().map((other) => (other.id === id ? marked : other)));
  }

  #save(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#queue.push(...ids);
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = null;
    });
  }

  async #saveAll(): Promise<void> {
    let room = 0;
    while (this.#queue.length > 0) {
      const id = this.#queue[0] ?? '';
      try {
        if (room === 0) room = await this.#makeRoom(this.#queue.length);
        room--;
        this.#queue = this.#queue.filter((queued) => queued !== id);
        await this.#saveOne(id);
      } catch (error) {
        this.#queue = this.#queue.filter((queued) => queued !== id);
        this.#mark(id, 'failed');
        this.#options.onSaveFailed(error);
      }
    }
  }

  async #saveOne(id: string): Promise<void> {
    const image = this.#added.get(id);
    const dataUrl = this.#drawn.get(id);
    if (image === undefined || dataUrl === undefined) return;
    await this.#options.store.insert(image, dataUrl);
    this.#drawn.delete(id);
    if (this.#gone.has(id)) await this.#options.store.remove([id]);
    else this.#mark(id, 'yes');
  }

  /** Deletes the oldest images at the limit; returns how many can be saved now. */
  async #makeRoom(needed: number): Promise<number> {
    const { store } = this.#options;
    const excess = (await store.count()) + needed - maxGenerated;
    if (excess > 0) {
      const oldest = await store.oldest(excess);
      if (oldest.length > 0) await store.remove(oldest);
    }
    return needed;
  }
}
