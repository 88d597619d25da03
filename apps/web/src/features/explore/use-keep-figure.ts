import type { FigureContent } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, LibraryImage } from '@/features/images/index.ts';
import { drawFigure } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { columnListQuery, groupsColumn } from '@/features/map/index.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import { useServices } from '@/lib/services.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage, identityOf } from './explorer-images.ts';

interface KeepFigureOptions {
  /** Of the whole dataset. */
  whole: ImageScope;
  maps: MapStore;
  take: (images: readonly GeneratedImage[]) => unknown;
}

/** Draws what was seen on the maps, as images of the library. */
export function useKeepFigure({ whole, maps, take }: KeepFigureOptions) {
  const { api } = useServices();
  const client = useQueryClient();
  const draw = async (scope: ImageScope, content: FigureContent) => {
    const { source } = identityOf(scope, content);
    if (source) take([drawnImage(scope, source, await drawFigure(api, source))]);
  };

  /** A map that was recoloured; its card shows its own image again. */
  const keep = async ({ id, subsetGroupName, cellCount, source }: LibraryImage): Promise<void> => {
    if (!source) return;
    const scope = { ...whole, subsetGroupName, filter: source.subset ?? null, cellCount: cellCount ?? null };
    try {
      await draw(scope, source.content);
      maps.setLook(id, { content: undefined });
    } catch (error) {
      console.warn('The figure was not added to the library.', error);
      toast.error('Error', { description: 'Failed to add the figure to the library. Please try again.' });
    }
  };
  /** What a group of cells is made of: by cell type, or by cluster where there is none. */
  const drawGroups = async ({ name, filter }: CellGroup, cellCount: number): Promise<void> => {
    const dataset = { filename: whole.datasetName, version: whole.version };
    const column = groupsColumn((await client.fetchQuery(columnListQuery(api, dataset))).obs);
    if (column === undefined) return;
    const scope = { ...whole, subsetGroupName: name, filter, cellCount };
    await draw(scope, { kind: 'obs-umap', column: column.name });
  };
  return { keep, drawGroups };
}
