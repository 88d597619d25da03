import { vi } from 'vitest';

interface SavedFile {
  readonly name: string;
  readonly file: Blob;
}

/** The files that the page saves from now on, in their order: kept here, as jsdom downloads nothing. */
export function watchSavedFiles(): readonly SavedFile[] {
  const saved: SavedFile[] = [];
  let last = new Blob();
  let addresses = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) last = file;
    return `blob:cellfolio.test/saved-${++addresses}`;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, file: last });
  });
  return saved;
}

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
