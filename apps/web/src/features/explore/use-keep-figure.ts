import type { FigureSource } from '@cellfolio/contract';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, LibraryImage } from '@/features/images/index.ts';
import { drawFigure } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage, identityOf } from './explorer-images.ts';

const notAdded = 'figure-not-added';

interface KeepFigureOptions {
  whole: ImageScope;
  maps: MapStore;
  take: (images: readonly GeneratedImage[]) => unknown;
}

export function useKeepFigure({ whole, maps, take }: KeepFigureOptions) {
  const { api } = useServices();
  const add = async (
    { subset, content }: FigureSource,
    { subsetName, cellCount = null }: { subsetName: string; cellCount?: number | null | undefined },
  ): Promise<boolean> => {
    const scope = { ...whole, subsetGroupName: subsetName, filter: subset ?? null, cellCount };
    try {
      const { source } = identityOf(scope, content);
      if (source) take([drawnImage(scope, source, await drawFigure(api, source))]);
      toast.dismiss(notAdded);
      return true;
    } catch (error) {
      console.warn('The figure was not added to the library.', error);
      toast.error('The figure was not added to the library', { id: notAdded, description: reasonOf(error) });
      return false;
    }
  };

  const keep = async ({ id, subsetGroupName, cellCount, source }: LibraryImage): Promise<void> => {
    if (!source) return;
    const isKept = await add(source, { subsetName: subsetGroupName, cellCount });
    if (isKept) maps.setLook(id, { content: undefined });
  };
  const show = (source: FigureSource, { subsetName }: { readonly subsetName: string }): void => {
    void add(source, { subsetName });
  };
  return { keep, show };
}
