export type FileKind = 'matrix' | 'metadata' | 'h5ad' | 'unknown';

export const acceptedExtensions = ['.mtx', '.tsv', '.h5ad'] as const;

/** What a file is for, by the end of its name. */
export function fileKind(name: string): FileKind {
  switch (extensionOf(name)) {
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

/** 'Counts.MTX' → '.mtx'; empty where there is none, or nothing before it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot).toLowerCase() : '';
}
