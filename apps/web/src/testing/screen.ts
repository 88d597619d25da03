import { vi } from 'vitest';

/**
 * jsdom has no media queries: this answers those on the width of the page. Where that is zoomed, its window is wider.
 */
export function setScreenWidth(width: number, windowWidth = width): void {
  vi.stubGlobal('outerWidth', windowWidth);
  vi.stubGlobal('matchMedia', (query: string) => {
    const maximum = /max-width: ([\d.]+)px/.exec(query)?.[1];
    return {
      matches: maximum !== undefined && width <= Number(maximum),
      media: query,
      addEventListener: () => {},
      removeEventListener: () => {},
    };
  });
}
