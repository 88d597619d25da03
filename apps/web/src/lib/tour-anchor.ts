/** The controls that the tour of the explorer points at. */
export type TourAnchor = 'gene' | 'lasso' | 'analysis' | 'library';

export function tourAnchor(name: TourAnchor) {
  return { 'data-tour': name };
}

/** The control, if it is on the page and visible. */
export function findTourAnchor(name: TourAnchor): HTMLElement | null {
  const controls = document.querySelectorAll<HTMLElement>(`[data-tour="${name}"]`);
  // jsdom does not lay out.
  return (
    [...controls].find((control) => control.checkVisibility?.({ visibilityProperty: true }) !== false) ?? null
  );
}

/** Storage key that exists once a user has seen the tour in this browser. */
export function tourKey(userId: string): string {
  return `cellfolio:tour:${userId}`;
}
