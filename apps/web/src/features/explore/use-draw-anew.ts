import { useEffect, useRef } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { ImageLibrary, LibraryImage } from '@/features/images/index.ts';
import { drawFigure } from '@/features/images/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage, identityOf } from './explorer-images.ts';
import { countCells } from './use-subset-plots.ts';

interface DrawAnewOptions {
  /** The cells of the dataset. */
  whole: ImageScope;
  /** The dataset was replaced since it was opened here. */
  isReplaced: boolean;
  /** Opens the dataset again. @returns whether that worked, once the page shows it */
  onReload: () => Promise<boolean>;
  library: ImageLibrary;
}

/** Draws an image of an earlier version of the dataset of the one that is there now, and shows it in its place. */
export function useDrawAnew({ whole, isReplaced, onReload, library }: DrawAnewOptions) {
  const { api } = useServices();
  const latest = useRef({ whole, library });
  useEffect(() => {
    latest.current = { whole, library };
  });
  return async ({ id, title, subsetGroupName, source }: LibraryImage): Promise<void> => {
    if (!source) return;
    const notice = `not-drawn-anew:${id}`;
    if (isReplaced && !(await onReload())) return;
    try {
      const filter = source.subset ?? null;
      const { whole: now, library: images } = latest.current;
      const cellCount =
        filter === null ? now.cellCount : await countCells(api, filter, new AbortController().signal);
      const scope = { ...now, subsetGroupName, filter, cellCount };
      const identity = identityOf(scope, source.content);
      const there = images.find(identity);
      images.replace(
        id,
        there ?? drawnImage(scope, identity.source!, await drawFigure(api, identity.source!)),
      );
      toast.dismiss(notice);
    } catch (error) {
      console.warn('A figure was not drawn anew.', error);
      toast.error(`${title} was not drawn anew`, { id: notice, description: reasonOf(error) });
    }
  };
}
