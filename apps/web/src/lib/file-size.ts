const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** 1536 → '1.50 KB'; whole bytes below a KB (1,024 bytes); 'Unknown size' where there is none. */
export function fileSize(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return 'Unknown size';
  let value = bytes;
  let unit = 0;
  // Rounding must not leave 1024.00 of a unit.
  while (unit < units.length - 1 && Number(value.toFixed(unit === 0 ? 0 : 2)) >= 1024) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? String(Math.round(value)) : value.toFixed(2)} ${units[unit] ?? ''}`;
}
