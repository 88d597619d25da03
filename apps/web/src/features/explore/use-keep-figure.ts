import type { FigureContent, FigureSource } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import type { GeneratedImage, LibraryImage } from '@/features/images/index.ts';
import { drawFigure } from '@/features/images/index.ts';
import type { MapStore } from '@/features/map/index.ts';
import { columnListQuery, groupsColumn } from '@/features/map/index.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
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
  const client = useQueryClient();
  const draw = async (scope: ImageScope, content: FigureContent) => {
    const { source } = identityOf(scope, content);
    if (source) take([drawnImage(scope, source, await drawFigure(api, source))]);
  };

  const add = async (
    { subset, content }: FigureSource,
    { subsetName, cellCount = null }: { subsetName: string; cellCount?: number | null | undefined },
  ): Promise<boolean> => {
    const scope = { ...whole, subsetGroupName: subsetName, filter: subset ?? null, cellCount };
    try {
      await draw(scope, content);
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
  const drawGroups = async ({ name, filter }: CellGroup, cellCount: number): Promise<void> => {
    const dataset = { filename: whole.datasetName, version: whole.version };
    const column = groupsColumn((await client.fetchQuery(columnListQuery(api, dataset))).obs);
    if (column === undefined) return;
    const scope = { ...whole, subsetGroupName: name, filter, cellCount };
    await draw(scope, { kind: 'obs-umap', column: column.name });
  };
  return { keep, show, drawGroups };
}
