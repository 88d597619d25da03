import { Crosshair, X } from 'lucide-react';
import { useContext, useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button.tsx';
import type { MapPick } from './map-store.ts';
import { MapStoresContext } from './map-store.ts';

type PickRequest = MapPick extends infer One ? (One extends MapPick ? Omit<One, 'id'> : never) : never;

const never = () => () => {};

export function PickOnMap({ filename, label, pick }: { filename: string; label: string; pick: PickRequest }) {
  const store = useContext(MapStoresContext)?.(filename);
  const id = useId();
  const isPicking = useSyncExternalStore(store?.subscribe ?? never, () => store?.state.pick?.id === id);
  // The form may have changed by the time that something is picked.
  const latest = useRef(pick);
  useEffect(() => {
    latest.current = pick;
  });
  useEffect(() => {
    if (!isPicking || store === undefined) return undefined;
    const giveUp = () => store.state.pick?.id === id && store.set({ pick: null });
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') giveUp();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isPicking, store, id]);
  useEffect(
    () => () => {
      if (store?.state.pick?.id === id) store.set({ pick: null });
    },
    [store, id],
  );
  if (store === undefined) return null;
  const begin = () => {
    const { prompt } = pick;
    store.set({
      pick:
        pick.of === 'cell'
          ? { id, prompt, of: 'cell', onPicked: (place) => asCell(latest.current)?.(place) }
          : { id, prompt, of: 'line', onPicked: (...line) => asLine(latest.current)?.(...line) },
    });
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-pressed={isPicking}
      className="self-start"
      onClick={() => (isPicking ? store.set({ pick: null }) : begin())}
    >
      {isPicking ? <X aria-hidden /> : <Crosshair aria-hidden />}
      {isPicking ? 'Cancel' : label}
    </Button>
  );
}

function asCell(pick: PickRequest) {
  return pick.of === 'cell' ? pick.onPicked : undefined;
}

function asLine(pick: PickRequest) {
  return pick.of === 'line' ? pick.onPicked : undefined;
}
