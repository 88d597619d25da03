/** 'lymph_node_status' → 'Lymph Node Status'. */
export function titleOfKey(key: string): string {
  return key
    .split(/[_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(' ');
}

/** Values of a metadata field, joined by commas. */
export function formatMetadataValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}
