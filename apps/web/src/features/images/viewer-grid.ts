import { type CSSProperties, useLayoutEffect, useState } from 'react';
import { defaultViewerSize } from './viewer-size.ts';

/** CSS pixels. */
interface Area {
  width: number;
  height: number;
}

export interface ViewerGrid {
  /** Number of cards in each row. */
  rows: readonly number[];
  /** Minimum height of a row in CSS pixels, below which the grid scrolls; `null` to shrink rows instead. */
  minRowHeight: number | null;
  /** Cards too small for a legend and tools beside their map. */
  isCompact: boolean;
}

const gap = 12;
/** Narrower areas stack cards, as on a zoomed page: side by side they have no room for a map and its legend. */
const stackedBelow = 480;
const stackedHeight = 256;
const maxInRow = 4;
const minCard: Area = { width: 180, height: 152 };
const roomyCard: Area = { width: 420, height: 300 };
const header = { compact: 32, full: 40 };
const collapsedLegend = 24;
/** Below this width a full card cuts its title, and a chart of many groups, short. */
const readableWidth = 320;
/** Weights of grids that have to scroll, and of those with narrow cards. */
const scrolling = 0.7;
const narrow = 0.8;

/**
 * The grid without empty cells whose smallest map is largest: each row fills the width. More cards than the default
 * are compact where they are small.
 */
export function viewerGrid(cards: number, area: Area): ViewerGrid {
  const isMany = cards > defaultViewerSize;
  if (area.width < stackedBelow)
    return {
      rows: Array.from({ length: cards }, () => 1),
      minRowHeight: stackedHeight,
      isCompact: isMany && area.width < roomyCard.width,
    };
  let best: { grid: ViewerGrid; score: number } | undefined;
  for (let rowCount = 1; rowCount <= cards; rowCount++) {
    const rows = evenRows(cards, rowCount);
    const width = (area.width - gap * (rows[0]! - 1)) / rows[0]!;
    if ((rows[0]! > maxInRow || width < minCard.width) && rowCount < cards) continue;
    const shared = (area.height - gap * (rowCount - 1)) / rowCount;
    const scrolls = isMany && shared < minCard.height;
    const card = { width, height: scrolls ? minCard.height : shared };
    const isCompact = isMany && (width < roomyCard.width || card.height < roomyCard.height);
    const isNarrow = !isCompact && width < readableWidth;
    const score = (scrolls ? scrolling : 1) * (isNarrow ? narrow : 1) * mapSide(card, isCompact);
    // Fewer rows, where maps would be as large.
    if (best === undefined || score > best.score + 1)
      best = { grid: { rows, minRowHeight: isMany ? minCard.height : null, isCompact }, score };
  }
  return best?.grid ?? { rows: [], minRowHeight: null, isCompact: false };
}

/** As equal as possible, longer rows first. */
function evenRows(cards: number, rowCount: number): number[] {
  const each = Math.floor(cards / rowCount);
  return Array.from({ length: rowCount }, (_, row) => each + (row < cards % rowCount ? 1 : 0));
}

/** Shorter side of the map on a card, whose legend stands beside it, below it or is collapsed (live-map.tsx). */
function mapSide({ width, height }: Area, isCompact: boolean): number {
  if (isCompact) return Math.min(width, height - header.compact - collapsedLegend);
  const below = height - header.full;
  if (width < 384 && below > 320) return Math.min(width, 0.55 * below);
  return Math.min(width - (width < 448 ? 160 : width < 960 ? 176 : 256), below);
}

/** Used until the viewer has been measured. */
const typicalArea: Area = { width: 1040, height: 560 };

/** The grid for the element that it is attached to, with the styles of the element and of its cards. */
export function useViewerGrid(cards: number) {
  const [element, attach] = useState<HTMLElement | null>(null);
  const [area, setArea] = useState(typicalArea);
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0) return;
      setArea((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  const { rows, minRowHeight, isCompact } = viewerGrid(cards, area);
  const columns = [...new Set(rows)].reduce((product, count) => product * count, 1);
  const spans = rows.flatMap((count) => Array.from({ length: count }, () => columns / count));
  const style: CSSProperties = {
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    gridAutoRows: `minmax(${minRowHeight ?? 0}px, 1fr)`,
    ...(minRowHeight !== null && { overflowY: 'auto' }),
  };
  const styleOf = (place: number): CSSProperties => ({ gridColumn: `span ${spans[place] ?? 1}` });
  return { attach, style, styleOf, isCompact };
}
