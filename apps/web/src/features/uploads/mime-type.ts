import { extensionOf, fileKind } from './files/file-kind.ts';

const longest = 255;

/** What the browser says a file is, or what its extension means where it says nothing. */
export function mimeType({ name, type }: Pick<File, 'name' | 'type'>): string {
  if (type !== '' && type.length <= longest) return type;
  if (extensionOf(name).endsWith('.gz')) return 'application/gzip';
  switch (fileKind(name)) {
    case 'h5ad':
      return 'application/x-hdf5';
    case 'metadata':
      return 'text/tab-separated-values';
    case 'matrix':
      return 'text/plain';
    case 'unknown':
      return 'application/octet-stream';
  }
}
