const MiB = 1024 * 1024;

/**
 * Bytes of a part of an upload of that length: S3 takes 10,000 parts of at least 5 MiB each, and each is held in
 * memory until it is sent.
 */
export function partBytesFor(length: number): number {
  return Math.max(8 * MiB, Math.ceil(length / 9000));
}

/** The least that may be sent as a part when the body pauses there: what is smaller is put aside. */
export function leastPartBytesFor(length: number): number {
  return Math.max(5 * MiB, Math.ceil(length / 9500));
}
