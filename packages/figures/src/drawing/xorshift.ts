/** Numbers in [0, 1): the xorshift generator of Marsaglia (2003) with the shifts 13, 17 and 5. */
export function xorshift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
