import { cutText } from '@cellfolio/model';

const maxNameLength = 80;

/** Names in a sentence: the first few by their first characters, and how many more there are. */
export function listedNames(names: readonly string[], max = 10): string {
  const shown = names
    .slice(0, max)
    .map((name) => cutText(name, maxNameLength))
    .join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
