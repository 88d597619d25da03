export { columnTitle, embeddingTitle, groupByTitle, labelColumnOf, partTitles } from '@cellfolio/model/names';

/** Metadata field by which a subset filters clusters of a dataset that has no field of that name. */
export const clusterField = 'Cluster';

const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/**
 * 1536 → '1.54 KB': decimal units, as for plans, quotas and disks, with two decimals; whole bytes below a KB. 'Unknown
 * size' without a size.
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

/** A size within a sentence, without zero decimals: 200000000000 → '200 GB'. */
export function roundFileSize(bytes: number): string {
  return fileSize(bytes).replace('.00 ', ' ');
}

/**
 * Lines above a table, named by topic such as `Data` or `Test`; the others are warnings, numbered if there are several.
 */
export function namedNotes(notes: readonly string[]): { name: string; text: string }[] {
  const nameCounts = new Map<string, number>();
  return notes.map((note) => {
    const [, head, rest] = /^([A-Z][A-Za-z ]{0,24}): (.+)$/s.exec(note) ?? [];
    const name = head ?? 'Note';
    const before = nameCounts.get(name) ?? 0;
    nameCounts.set(name, before + 1);
    return { name: before === 0 ? name : `${name} ${before + 1}`, text: rest ?? note };
  });
}
