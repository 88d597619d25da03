import type { CatalogueDataset } from '@cellfolio/contract';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/format.ts';
import { SimulatedBadge } from './simulated-badge.tsx';
import type { GeneInDataset, GenesFound } from './use-gene-datasets.ts';

interface DatasetItemsProps {
  datasets: readonly CatalogueDataset[];
  /** Genes that are searched for: where a dataset has them, it says in how many cells. */
  genes?: GenesFound;
  /** `dataset_filename` of the one that is chosen. */
  chosen: string | null;
  onSelect: (filename: string) => void;
}

/** Datasets to choose one of. */
export function DatasetItems({ datasets, genes, chosen, onSelect }: DatasetItemsProps) {
  return (
    <ul className="flex flex-col gap-1.5">
      {datasets.map((dataset) => (
        <li key={dataset.dataset_filename}>
          <DatasetButton
            dataset={dataset}
            genes={[...(genes?.values() ?? [])].flatMap((of) => of.get(dataset.dataset_filename) ?? [])}
            chosen={dataset.dataset_filename === chosen}
            onSelect={() => onSelect(dataset.dataset_filename)}
          />
        </li>
      ))}
    </ul>
  );
}

interface DatasetButtonProps {
  dataset: CatalogueDataset;
  genes: readonly GeneInDataset[];
  chosen: boolean;
  onSelect: () => void;
}

/** A dataset of a list: its name there, what it is, and how large. */
function DatasetButton({ dataset, genes, chosen, onSelect }: DatasetButtonProps) {
  const { dataset_filename, name, description, simulated, cell_count, patient_count } = dataset;
  const size = [counted(cell_count, 'cell')];
  if (patient_count !== undefined) size.push(counted(patient_count, 'patient'));
  const quiet = chosen ? 'text-accent-soft-foreground' : 'text-muted';
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onSelect}
      className={cn(
        'flex w-full flex-col gap-1 rounded-md border px-3 py-2 text-left transition-colors',
        chosen ? 'border-accent bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span className="flex w-full flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <span className="text-[13px] font-medium wrap-anywhere">{name}</span>
        {simulated && <SimulatedBadge />}
      </span>
      {description.trim() !== '' && <span className={cn('text-[13px]', quiet)}>{description}</span>}
      <span className={cn('text-xs tabular-nums', quiet)}>{size.join(' · ')}</span>
      <span className={cn('text-xs break-all', quiet)}>{dataset_filename}</span>
      {genes.map(({ gene, expressing, cells }) => (
        <span key={gene} className="text-xs tabular-nums">
          <span className="font-medium">{gene}</span> in {counted(expressing, 'cell')},{' '}
          {share(expressing, cells)}
        </span>
      ))}
    </button>
  );
}

/** A few cells of many are not none. */
function share(part: number, all: number): string {
  const percent = (100 * part) / all;
  if (part > 0 && percent < 0.1) return 'below 0.1%';
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: 1 })}%`;
}
