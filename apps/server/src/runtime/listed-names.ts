import { cutText } from '@cellfolio/model';

const maxNameLength = 80;

/** The first `max` names, shortened, for use in a message; the rest as a count. */
export function listedNames(names: readonly string[], max = 10): string {
  const shown = names
    .slice(0, max)
    .map((name) => cutText(name, maxNameLength))
    .join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
