import { X } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import type { GeneSearchProps } from './gene-search.tsx';
import { GeneSearch } from './gene-search.tsx';

interface GenePickerProps extends Pick<GeneSearchProps, 'ref' | 'index' | 'label' | 'shortcut' | 'hint'> {
  /** Names the list of those that are chosen. */
  chosenLabel: string;
  genes: readonly string[];
  onChange: (genes: string[]) => void;
  /** Enter in an empty search box. */
  onConfirm?: () => void;
  /** Says so while no gene is chosen. */
  showEmpty?: boolean;
}

/** Genes chosen by a search, each with its remove button. */
export function GenePicker({
  chosenLabel,
  genes,
  onChange,
  onConfirm,
  showEmpty = true,
  ...search
}: GenePickerProps) {
  return (
    <>
      <GeneSearch
        {...search}
        chosen={genes}
        onAdd={(added) => onChange([...genes, ...added])}
        onRemoveLast={() => onChange(genes.slice(0, -1))}
        onConfirm={onConfirm}
      />
      {(showEmpty || genes.length > 0) && (
        <GeneChips
          label={chosenLabel}
          genes={genes}
          onRemove={(gene) => onChange(genes.filter((other) => other !== gene))}
          onClear={() => onChange([])}
        />
      )}
    </>
  );
}

interface GeneChipsProps {
  label: string;
  genes: readonly string[];
  onRemove: (gene: string) => void;
  onClear: () => void;
}

/** The chosen genes, each with its remove button. */
function GeneChips({ label, genes, onRemove, onClear }: GeneChipsProps) {
  if (genes.length === 0) return <p className="text-muted text-[13px]">No genes selected yet.</p>;
  return (
    <div className="flex flex-col gap-1">
      <ul aria-label={label} className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto p-0.5">
        {genes.map((gene) => (
          <li
            key={gene}
            className="bg-accent-soft text-accent-soft-foreground flex h-6 max-w-full items-center gap-0.5 rounded-full pr-0.5 pl-2.5 text-xs font-medium"
          >
            <span className="truncate">{gene}</span>
            <button
              type="button"
              aria-label={`Remove ${gene}`}
              onClick={() => onRemove(gene)}
              className="hover:bg-surface flex size-5 shrink-0 items-center justify-center rounded-full transition-colors"
            >
              <X aria-hidden className="size-3" />
            </button>
          </li>
        ))}
      </ul>
      {genes.length > 1 && (
        <Button variant="link" size="inline" className="self-start text-xs" onClick={onClear}>
          Clear all
        </Button>
      )}
    </div>
  );
}
