/** Where the bytes of a version are. Spread over folders, so that none holds them all. */
export function blobKeyOf(version: string): string {
  return `${blobPrefix}${version.slice(0, 2)}/${version}`;
}

/** Begins every key of ours, beside what else is in the same store. */
export const blobPrefix = 'files/';
