import type { CatalogueDataset } from '@cellfolio/contract';
import { datasetText } from '@/features/datasets/dataset-text.ts';
import { SimulatedBadge } from '@/features/datasets/simulated-badge.tsx';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/counted.ts';

interface DatasetItemsProps {
  datasets: readonly CatalogueDataset[];
  /** `dataset_filename` of the one that is chosen. */
  chosen: string | null;
  onSelect: (filename: string) => void;
}

/** Datasets to choose one of. */
export function DatasetItems({ datasets, chosen, onSelect }: DatasetItemsProps) {
  return (
    <ul className="flex flex-col gap-1.5">
      {datasets.map((dataset) => (
        <li key={dataset.dataset_filename}>
          <DatasetButton
            dataset={dataset}
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
  chosen: boolean;
  onSelect: () => void;
}

/** A dataset of a list: its name there, what it is, and how large. */
function DatasetButton({ dataset, chosen, onSelect }: DatasetButtonProps) {
  const { dataset_filename, simulated, cell_count, patient_count } = dataset;
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
        <span className="text-[13px] font-medium break-all">{dataset_filename}</span>
        {simulated && <SimulatedBadge />}
      </span>
      <span className={cn('text-[13px]', quiet)}>{datasetText(dataset)}</span>
      <span className={cn('text-xs tabular-nums', quiet)}>{size.join(' · ')}</span>
    </button>
  );
}
