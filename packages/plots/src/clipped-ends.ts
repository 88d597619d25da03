/** Where the colours of a gene end if a few cells lie far above: a share of the expressing cells, and in words. */
export const geneClip = { high: { share: 0.995, words: '99.5th' } } as const;

/** Where the colours of scores and other numbers end if a few cells lie far below or above. */
export const scoreClip = {
  low: { share: 0.01, words: '1st' },
  high: { share: 0.99, words: '99th' },
} as const;
