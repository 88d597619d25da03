import type { BarcodeMatch } from '@cellfolio/contract';
import { toast } from '@/components/ui/toast.ts';
import { formatCount, plural, pluralWord } from '@/lib/format.ts';

/** Reports the result of matching labels; a report of losses stays until closed. */
export function sayMatch(title: string, match: BarcodeMatch): void {
  const isWhole = match.matched === match.given;
  (isWhole ? toast.success : toast.warning)(title, { description: matchText(match) });
}

export function matchText(match: BarcodeMatch): string {
  const {
    given: total,
    matched,
    by_suffix: bySuffix,
    ambiguous,
    unknown,
    repeated,
    unlabelled,
    examples,
  } = match;
  const lost = [
    unknown > 0 && `${plural(unknown, 'is', 'are')} not in this dataset`,
    ambiguous > 0 && `${plural(ambiguous, 'fits', 'fit')} several cells or lines`,
    repeated > 0 && `${plural(repeated, 'names', 'name')} a cell that already had a label`,
  ].filter(Boolean);
  return [
    `${formatCount(matched)} of ${plural(total, 'label')} matched a cell${bySuffix > 0 ? `, ${formatCount(bySuffix)} of them except for an ending such as -1` : ''}.`,
    lost.length > 0 && `${lost.join(', ')}.`,
    examples.length > 0 &&
      `Not found: ${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : '.'}`,
    `${plural(unlabelled, 'cell')} ${pluralWord(unlabelled, 'has', 'have')} no label.`,
  ]
    .filter(Boolean)
    .join(' ');
}
