import type { BarcodeMatch } from '@cellfolio/contract';
import { counted, formatCount } from '@/lib/format.ts';

/** What became of labels that were looked for by barcode, for a person. */
export function matchText(match: BarcodeMatch): string {
  const { given, matched, by_suffix: bySuffix, ambiguous, unknown, repeated, unlabelled, examples } = match;
  const lost = [
    unknown > 0 && `${formatCount(unknown)} are no cells of this dataset`,
    ambiguous > 0 && `${formatCount(ambiguous)} fit several cells`,
    repeated > 0 && `${formatCount(repeated)} came twice`,
  ].filter(Boolean);
  return [
    `${formatCount(matched)} of ${counted(given, 'label')} found their cells${bySuffix > 0 ? `, ${formatCount(bySuffix)} of them but for an ending such as -1` : ''}.`,
    lost.length > 0 &&
      `${lost.join(', ')}${examples.length > 0 ? ` (${examples.slice(0, 3).join(', ')})` : ''}.`,
    `${counted(unlabelled, 'cell')} ${unlabelled === 1 ? 'has' : 'have'} no label.`,
  ]
    .filter(Boolean)
    .join(' ');
}
