import { useMediaQuery } from '@/lib/use-browser.ts';
import { useStored } from '@/lib/use-stored.ts';

export type DockPlace = 'beside' | 'below';

interface Stored {
  /** Undefined until the user chooses one. */
  place?: DockPlace;
  /** Share of the dock in percent, by place. */
  sizes: Partial<Record<DockPlace, number>>;
}

const key = 'cellfolio:results-dock';
const defaultSizes = { beside: 47, below: 50 };

/** Place and size of the results, remembered in this browser; in a wide window they are beside the map. */
export function useDockPlace() {
  const isWide = useMediaQuery('(min-width: 80rem)');
  const [stored, store] = useStored(key, readPlace);
  const place = stored.place ?? (isWide ? 'beside' : 'below');
  const change = (next: Stored) => store(JSON.stringify(next));
  return {
    place,
    size: stored.sizes[place] ?? defaultSizes[place],
    setPlace: (next: DockPlace) => change({ ...stored, place: next }),
    setSize: (size: number) => change({ ...stored, sizes: { ...stored.sizes, [place]: size } }),
  };
}

function readPlace(text: string | null): Stored {
  try {
    const { place, sizes } = Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
    const { beside, below } = Object(sizes) as Record<string, unknown>;
    return {
      ...((place === 'beside' || place === 'below') && { place }),
      sizes: { ...(isShare(beside) && { beside }), ...(isShare(below) && { below }) },
    };
  } catch {
    return { sizes: {} };
  }
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 100;
}
