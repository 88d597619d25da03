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
