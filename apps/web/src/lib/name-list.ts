const maxNameLength = 40;

/** A name for showing: one that is too long to read, such as a pasted paragraph, is cut. */
export function shortName(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}

/** The first few names, then how many more: 'A, B, C and 37 more'. */
export function nameList(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map(shortName).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
