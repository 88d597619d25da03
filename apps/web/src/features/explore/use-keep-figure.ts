import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, LibraryImage } from '@/features/images/index.ts';
import { renderFigure } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { dataUrl } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage } from './explorer-images.ts';

interface KeepFigureOptions {
  /** Of the whole dataset. */
  whole: ImageScope;
  maps: MapStore;
  take: (images: readonly GeneratedImage[]) => unknown;
}

/** Draws a map that was recoloured as a figure of the library; its card shows its own image again. */
export function useKeepFigure({ whole, maps, take }: KeepFigureOptions) {
  const { api } = useServices();
  return async ({ id, subsetGroupName, cellCount, source: drawn }: LibraryImage): Promise<void> => {
    if (!drawn) return;
    const source = { ...drawn, version: whole.version };
    try {
      const url = await dataUrl(await renderFigure(api, source, 'png'));
      const scope = {
        ...whole,
        subsetGroupName,
        filter: source.subset ?? null,
        cellCount: cellCount ?? null,
      };
      take([drawnImage(scope, source, url)]);
      maps.setLook(id, { content: undefined });
    } catch (error) {
      console.warn('The figure was not added to the library.', error);
      toast.error('Error', { description: 'Failed to add the figure to the library. Please try again.' });
    }
  };
}
