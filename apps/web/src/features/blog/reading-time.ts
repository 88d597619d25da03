/** Adults read some 240 words of non-fiction a minute (Brysbaert 2019); figures and numbers slow that down. */
const wordsPerMinute = 200;

export function readingTime(words: number): string {
  return `${Math.max(1, Math.round(words / wordsPerMinute))} min read`;
}
