import type { GroupedBy } from '@cellfolio/figures/content';
import { Check, X } from 'lucide-react';
import { type MendedGene, renamedText } from '@/features/genes/index.ts';
import { useViewerSize, viewerSizeStore } from '@/features/images/index.ts';
import { nameList, plural, shortName } from '@/lib/format.ts';
import { CheckOption } from '@/components/check-list.tsx';

export interface GeneratedCount {
  added: number;
  dropped: number;
  keptCount: number;
}

export function generatedText(
  { added, dropped, keptCount }: GeneratedCount,
  names: readonly string[],
): string {
  const size = viewerSizeStore.get();
  const others = added - size;
  // First, for a notice has room for two lines.
  const place = others > 0 ? `, ${size} in the viewer and ${others} in the library below it,` : '';
  const summary = `${plural(added, 'image')}${place} for ${nameList(names)}.`;
  if (dropped === 0) return summary;
  const droppedText = plural(dropped, 'older one was', 'older ones were');
  return `${summary} The library keeps the newest ${keptCount} images; ${droppedText} dropped.`;
}

/** Says where images are that the viewer has no room for; empty if it shows all of them. */
export function placeText(images: number): string {
  const size = viewerSizeStore.get();
  const others = images - size;
  if (others <= 0) return '';
  return `The viewer shows ${size} of them; ${plural(others, 'more is', 'more are')} in the library below.`;
}

export interface FoundGenes {
  genes: readonly string[];
  notFound: readonly string[];
  /** Genes found by another name. */
  renamed?: readonly MendedGene[];
  /** Number of images drawn. */
  images?: number;
}

export function RunResult({ genes, notFound, renamed, images = 0 }: FoundGenes) {
  const size = useViewerSize();
  return (
    <div role="status" className="flex flex-col gap-1 text-[13px]">
      {genes.length > 0 && (
        <p className="text-success flex gap-1.5">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">Found: {genes.map(shortName).join(', ')}</span>
        </p>
      )}
      {images > size && (
        <p className="text-muted">
          {plural(images, 'image')}. {placeText(images)}
        </p>
      )}
      {renamed !== undefined && renamed.length > 0 && (
        <p className="text-muted wrap-anywhere">{renamedText(renamed)}</p>
      )}
      {notFound.length > 0 && (
        <p className="text-danger flex gap-1.5">
          <X aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">Not found: {notFound.map(shortName).join(', ')}</span>
        </p>
      )}
    </div>
  );
}

interface ViolinOptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  groupedBy: GroupedBy;
}

const labels: Record<GroupedBy, string> = {
  'cell type': 'Generate Expression by Cell Type Violin Plot',
  cluster: 'Generate Expression by Cluster Violin Plot',
  none: 'Generate Expression Violin Plot',
};

export function ViolinOption({ checked, onChange, groupedBy }: ViolinOptionProps) {
  return (
    <CheckOption checked={checked} onChange={onChange}>
      {labels[groupedBy]}
    </CheckOption>
  );
}
