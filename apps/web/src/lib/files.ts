export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then; keeping the URL would hold memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Pieces are passed to the browser in blobs of this size, which it keeps on disk. */
const blobBytes = 16 * 1024 * 1024;

/** Bytes that arrive in pieces, in the memory of the page up to the size of a blob. */
export class PieceBlobs {
  readonly #blobs: Blob[] = [];
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  add(piece: Uint8Array<ArrayBuffer>): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes >= blobBytes) this.#settle();
  }

  blobs(): readonly Blob[] {
    this.#settle();
    return this.#blobs;
  }

  #settle(): void {
    this.#blobs.push(new Blob(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
  }
}

/** Part of a file name, limited in characters and length to what every file system accepts. */
export function fileNamePart(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}.-]+/gu, '_')
    .slice(0, 80)
    .replace(/^[_.]+|_+$/g, '');
}

export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
}
