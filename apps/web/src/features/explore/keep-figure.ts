import type { FigureContent, FigureSource } from '@cellfolio/contract';
import { toast } from '@/components/ui/toast.ts';
import { drawFigure, type GeneratedImage, type LibraryImage } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { drawnImage, identityOf, type ImageScope } from './explorer-images.ts';

const notAdded = 'figure-not-added';

interface KeepFigureOptions {
  whole: ImageScope;
  maps: MapStore;
  take: (images: readonly GeneratedImage[]) => unknown;
}

/** Adds figures to the library: what a map shows, and figures of results. */
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
    if (isKept) endColours(maps, id, source.content);
  };
  const show = (source: FigureSource, { subsetName }: { subsetName: string }): void => {
    void add(source, { subsetName });
  };
  return { keep, show };
}

/**
 * Takes colours off a card that are a figure of their own by now, unless others were chosen meanwhile. The gene of a
 * result is temporary and never part of the user's view: when it is a figure, the card has the user's own colours again.
 */
function endColours(maps: MapStore, card: string, content: FigureContent): void {
  const { shownGene, looks } = maps.state;
  if (shownGene?.look.content === content) maps.hideGene();
  else if (looks.get(card)?.content === content) maps.setOwnColours(card, undefined);
}
