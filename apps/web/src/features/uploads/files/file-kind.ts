export type FileKind = 'matrix' | 'metadata' | 'h5ad' | 'unknown';

export const acceptedExtensions = ['.mtx', '.tsv', '.h5ad', '.mtx.gz', '.tsv.gz'] as const;

/** What the picker of files offers: browsers know the last part of an extension only. */
export const pickedExtensions = '.mtx,.tsv,.h5ad,.gz';

/** What a file is for, by the end of its name; packed by gzip or not. */
export function fileKind(name: string): FileKind {
  switch (extensionOf(name).replace(/\.gz$/, '')) {
    case '.mtx':
      return 'matrix';
    case '.tsv':
      return 'metadata';
    case '.h5ad':
      return 'h5ad';
    default:
      return 'unknown';
  }
}

/** 'Counts.MTX' → '.mtx', 'matrix.mtx.gz' → '.mtx.gz'; empty where there is none, or nothing before it. */
export function extensionOf(name: string): string {
  const packed = /.(\.(?:mtx|tsv)\.gz)$/is.exec(name)?.[1];
  if (packed !== undefined) return packed.toLowerCase();
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot).toLowerCase() : '';
}
