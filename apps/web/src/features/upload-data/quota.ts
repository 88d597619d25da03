const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** 1911295 → '1.91 MB', in powers of ten, as plans and the server count. */
export function storageText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (unit < units.length - 1 && Number(value.toFixed(unit === 0 ? 0 : 2)) >= 1000) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(2)} ${units[unit] ?? ''}`;
}

/** 200000000000 → '200 GB'. */
export function quotaText(bytes: number): string {
  return storageText(bytes).replace('.00 ', ' ');
}
