const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/**
 * 1536 → '1.54 KB': powers of ten, as plans, quotas and disks count, with two decimals; whole bytes below a KB.
 * 'Unknown size' where there is none.
 */
export function fileSize(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return 'Unknown size';
  let value = bytes;
  let unit = 0;
  // Rounding must not leave 1000.00 of a unit.
  while (unit < units.length - 1 && Number(value.toFixed(unit === 0 ? 0 : 2)) >= 1000) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(Math.round(value)) : value.toFixed(2)} ${units[unit] ?? ''}`;
}

/** A size within a sentence, without decimals that say nothing: 200000000000 → '200 GB'. */
export function roundFileSize(bytes: number): string {
  return fileSize(bytes).replace('.00 ', ' ');
}
