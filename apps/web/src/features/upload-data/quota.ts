/** Private storage of the Professional plan, in powers of ten as the plan and the server count it. */
export const quotaBytes = 200 * 10 ** 9;
export const quotaText = '200 GB';

const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** 1911295 → '1.91 MB', in powers of ten, so that it compares with {@link quotaText}. */
export function storageText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (unit < units.length - 1 && Number(value.toFixed(unit === 0 ? 0 : 2)) >= 1000) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(2)} ${units[unit] ?? ''}`;
}
