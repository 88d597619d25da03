/**
 * A zeroed buffer that is used again by the next figure of this thread: fresh megabytes cost more in page faults
 * than the drawing does. Its bytes hold only until the next call of the same scratch.
 */
export function createScratch(): (length: number) => Uint8Array {
  let kept = new Uint8Array(0);
  return (length) => {
    if (kept.length < length || kept.length > 4 * length) kept = new Uint8Array(length);
    return kept.subarray(0, length).fill(0);
  };
}
