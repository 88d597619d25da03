import { useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { ImageLibrary, LibraryImage } from '@/features/images/index.ts';
import { drawFigure, imageName } from '@/features/images/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import type { ImageScope } from './explorer-images.ts';
import { drawnImage, identityOf } from './explorer-images.ts';
import { countCells } from './use-subset-plots.ts';

interface RedrawOptions {
  whole: ImageScope;
  /** The dataset was replaced since it was opened here. */
  isReplaced: boolean;
  /** Reopens the dataset. @returns whether that worked, once the page shows it */
  onReload: () => Promise<boolean>;
  library: ImageLibrary;
}

/** Redraws an image of an earlier version of the dataset or its labels with the current ones, and replaces it. */
export function useRedraw({ whole, isReplaced, onReload, library }: RedrawOptions) {
  const { api } = useServices();
  const latest = useRef({ whole, library });
  useEffect(() => {
    latest.current = { whole, library };
  });
  const notices = useNotices(JSON.stringify([whole.version, whole.annotations]));
  return async (image: LibraryImage): Promise<void> => {
    const { id, subsetGroupName, source } = image;
    if (!source) return;
    const title = `${imageName(image)} could not be redrawn`;
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
      notices.dismiss(title);
    } catch (error) {
      console.warn('A figure could not be redrawn.', error);
      notices.say(title, reasonOf(error));
    }
  };
}

/** Notices that are dismissed once `state`, the version of the dataset or its labels, changes. */
function useNotices(state: string) {
  // With the state in which each was said.
  const [shownNotices] = useState(() => new Map<string, string>());
  useEffect(() => {
    for (const [id, before] of shownNotices)
      if (before !== state && shownNotices.delete(id)) toast.dismiss(id);
  }, [shownNotices, state]);
  useEffect(() => () => shownNotices.forEach((_, id) => toast.dismiss(id)), [shownNotices]);
  const idOf = (title: string) => `not-drawn-anew:${title}`;
  return {
    dismiss: (title: string) => toast.dismiss(idOf(title)),
    say: (title: string, description: string) => {
      const id = idOf(title);
      shownNotices.set(id, state);
      toast.error(title, { id, description });
    },
  };
}
