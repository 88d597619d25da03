import { vi } from 'vitest';

interface SavedFile {
  name: string;
  file: Blob;
}

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

const pixelsPerRem = 16;
const onScreenWidth = new Set<() => void>();

/** Answers media queries on the page width, which jsdom lacks. A zoomed page has a larger `windowWidth`. */
export function setScreenWidth(width: number, windowWidth = width): void {
  vi.stubGlobal('outerWidth', windowWidth);
  vi.stubGlobal('matchMedia', (query: string) => {
    const maximum = /max-width: ([\d.]+)px/.exec(query)?.[1];
    const below = /width < ([\d.]+)rem/.exec(query)?.[1];
    return {
      matches:
        (maximum !== undefined && width <= Number(maximum)) ||
        (below !== undefined && width < Number(below) * pixelsPerRem),
      media: query,
      addEventListener: (_: string, listener: () => void) =>
        query.includes('width') && onScreenWidth.add(listener),
      removeEventListener: (_: string, listener: () => void) => onScreenWidth.delete(listener),
    };
  });
  for (const listener of onScreenWidth) listener();
}
