import { X } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';

interface GeneChipsProps {
  label: string;
  genes: readonly string[];
  onRemove: (gene: string) => void;
  onClear: () => void;
}

export function GeneChips({ label, genes, onRemove, onClear }: GeneChipsProps) {
  if (genes.length === 0)
    return <p className="text-muted text-[13px]">No genes selected yet. Type one above.</p>;
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
