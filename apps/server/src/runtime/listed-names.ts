import { cutText } from '@cellfolio/model';

const longestListed = 80;

/** Names in a sentence: the first few by their first characters, and how many more there are. */
export function listedNames(names: readonly string[], most = 10): string {
  const shown = names
    .slice(0, most)
    .map((name) => cutText(name, longestListed))
    .join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
