import { useCallback, useEffect, useRef, useState } from 'react';
import { isLayerOpen } from '@/lib/open-layers.ts';
import { useUserId } from '@/lib/services.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { findTourAnchor, type TourAnchor, tourKey } from '@/lib/tour-anchor.ts';

export interface TourStep {
  readonly anchor: TourAnchor;
  readonly side: 'right' | 'bottom' | 'top';
  readonly title: string;
  readonly text: string;
}

export const tourSteps: readonly TourStep[] = [
  {
    anchor: 'gene',
    side: 'right',
    title: 'Draw a gene',
    text: 'Type a gene and press Enter. Press Enter again to draw its expression on the map.',
  },
  {
    anchor: 'lasso',
    side: 'bottom',
    title: 'Select cells',
    text: 'Choose the lasso and draw around cells. You can then compare, label or save them.',
  },
  {
    anchor: 'analysis',
    side: 'right',
    title: 'Run an analysis',
    text: 'Open Run Analysis and start with one of the questions there, or choose an analysis yourself.',
  },
  {
    anchor: 'library',
    side: 'top',
    title: 'Keep and download',
    text: 'Every image that you draw is kept here. Download one from its menu; download tables from the results.',
  },
];

export interface Tour {
  /** The step that is shown; `null` for none. */
  readonly step: number | null;
  start(): void;
  /** Shows the next step, or the one before; after the last the tour ends. */
  move(by: 1 | -1): void;
  leave(): void;
}

const local = () => localStorage;
/** Time for the map and its tools to load, and between two looks whether the tour can begin. */
const startDelayMs = 800;

/**
 * The tour of the explorer, which begins by itself once for each user of a browser, as soon as a control that it explains
 * is visible and nothing is open that its popover would close.
 */
export function useTour(): Tour {
  const key = tourKey(useUserId());
  const [step, setStep] = useState<number | null>(null);
  const hasBegun = useRef(false);
  const begin = useCallback(() => {
    const first = visibleStep(0, 1);
    if (first === null) return;
    hasBegun.current = true;
    writeStored(local, key, 'seen');
    setStep(first);
  }, [key]);
  useEffect(() => {
    if (readStored(local, key) !== null) return;
    const timer = setInterval(() => {
      if (hasBegun.current) clearInterval(timer);
      else if (!isLayerOpen()) begin();
    }, startDelayMs);
    return () => clearInterval(timer);
  }, [key, begin]);
  return {
    step,
    start: begin,
    move: (by) => setStep((current) => (current === null ? null : visibleStep(current + by, by))),
    leave: () => setStep(null),
  };
}

/** The nearest step from a place on whose control is visible; `null` without one. */
function visibleStep(from: number, by: 1 | -1): number | null {
  for (let at = from; at >= 0 && at < tourSteps.length; at += by)
    if (findTourAnchor(tourSteps[at]!.anchor) !== null) return at;
  return null;
}
