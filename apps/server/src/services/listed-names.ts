/** Names in a sentence: the first few, and how many more there are. */
export function listedNames(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
