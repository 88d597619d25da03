import type { DatasetAnalysis } from '@cellfolio/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ImageLibrary } from '@/features/images/index.ts';
import { columnOfLook, defaultCard, type MapStore } from '@/features/map/index.ts';
import { useSubclusterings } from '@/features/subclusterings/index.ts';
import { readAddress } from './address-texts.ts';
import { groupedByOf } from './explorer-images.ts';

interface DefaultMapOptions {
  maps: MapStore;
  library: Pick<ImageLibrary, 'viewer' | 'show'>;
}

/**
 * Opens a subclustering on its own clusters, unless its address says what is shown, and shows the default map in the
 * viewer when the user, or labels that were applied, recolour it. Both go by the user's own colours: a gene of a
 * result that comes and goes on the map brings no card back, and is not taken off it.
 */
export function useDefaultMap(
  filename: string,
  analysis: DatasetAnalysis,
  { maps, library }: DefaultMapOptions,
): void {
  const [params] = useSearchParams();
  const [hasAddress] = useState(() => {
    const view = readAddress(params);
    return view !== null && (view.map !== '' || view.views.length > 0);
  });
  const isPart = Boolean(useSubclusterings(filename).data?.part_of);
  const clusters = groupedByOf(analysis) === 'cell type' ? analysis.columns.leiden_clusters : undefined;
  useEffect(() => {
    if (!isPart || hasAddress || clusters === undefined) return;
    maps.setOwnColours(defaultCard, { kind: 'obs-umap', column: clusters });
  }, [isPart, hasAddress, clusters, maps]);

  const show = useEffectEvent(() => {
    if (!library.viewer.includes(defaultCard)) library.show([defaultCard]);
  });
  useEffect(() => {
    const ownColumn = () => columnOfLook(maps.state.looks.get(defaultCard) ?? {});
    let column = ownColumn();
    return maps.subscribe(() => {
      const now = ownColumn();
      if (now === column) return;
      column = now;
      if (now !== undefined) show();
    });
  }, [maps]);
}
