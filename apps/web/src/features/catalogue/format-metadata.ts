/** Values of a metadata field, joined by commas. */
export function formatMetadataValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}
