import { counted, nameList } from '@/lib/format.ts';

export interface GeneratedCount {
  added: number;
  dropped: number;
  /** How many generated images are kept at most. */
  kept: number;
}

/** What a run made, and what its images pushed out of the library. */
export function generatedText({ added, dropped, kept }: GeneratedCount, names: readonly string[]): string {
  const made = `${counted(added, 'image')} for ${nameList(names)}.`;
  if (dropped === 0) return made;
  const gone = dropped === 1 ? '1 older one was' : `${dropped} older ones were`;
  return `${made} The library keeps the newest ${kept} images; ${gone} dropped.`;
}
