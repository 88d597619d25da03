import type { PositionColumn } from '@cellfolio/columns';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { LoadArea } from './map-columns.ts';
import { MapScene } from './map-scene.ts';
import { MapStore, MapStoresContext } from './map-store.ts';

export function useMapStores(): (datasetName: string) => MapStore {
  const [stores] = useState(() => new Map<string, MapStore>());
  return (datasetName) => {
    const store = stores.get(datasetName) ?? new MapStore();
    stores.set(datasetName, store);
    return store;
  };
}

/** Scenes by their positions, with the number of maps that show each. */
class Scenes {
  readonly #open = new Map<PositionColumn, { scene: MapScene; maps: number }>();

  of(positions: PositionColumn, store: MapStore, loadArea: LoadArea): MapScene {
    const open = this.#open.get(positions) ?? { scene: new MapScene(positions, store, loadArea), maps: 0 };
    this.#open.set(positions, open);
    return open.scene;
  }

  /** Returns a release function; the last map of a scene closes it. */
  hold(positions: PositionColumn): () => void {
    const entry = this.#open.get(positions);
    if (entry === undefined) return () => {};
    entry.maps++;
    return () => {
      entry.maps--;
      // A card that moves to another place leaves and comes back in one step.
      setTimeout(() => {
        if (entry.maps > 0 || this.#open.get(positions) !== entry) return;
        this.#open.delete(positions);
        entry.scene.close();
      });
    };
  }
}

const ScenesContext = createContext<Scenes | null>(null);

export function LiveMaps({
  stores,
  children,
}: {
  stores: (datasetName: string) => MapStore;
  children: ReactNode;
}) {
  const [scenes] = useState(() => new Scenes());
  return (
    <MapStoresContext value={stores}>
      <ScenesContext value={scenes}>{children}</ScenesContext>
    </MapStoresContext>
  );
}

export function useMapScene(
  positions: PositionColumn | undefined,
  store: MapStore,
  loadArea: LoadArea | undefined,
): MapScene | undefined {
  const scenes = useContext(ScenesContext);
  const scene = useMemo(
    () => (scenes === null || !positions || !loadArea ? undefined : scenes.of(positions, store, loadArea)),
    [scenes, positions, store, loadArea],
  );
  useEffect(() => {
    if (scenes !== null && positions !== undefined) return scenes.hold(positions);
    return undefined;
  }, [scenes, positions]);
  return scene;
}
