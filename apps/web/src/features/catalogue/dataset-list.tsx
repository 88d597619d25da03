import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { Columns3, ListOrdered } from 'lucide-react';
import { useState } from 'react';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import { cn } from '@/lib/cn.ts';
import { percent, plural } from '@/lib/format.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { useHydrated, useMediaQuery } from '@/lib/use-browser.ts';
import { countDatasets, groupDatasets } from './catalogue-entries.ts';
import { SimulatedBadge } from './dataset-metadata.tsx';
import type { GeneInDataset, GeneMatches } from './search.ts';
import type { Selection } from './selection.ts';

interface DatasetListProps {
  stepped: boolean;
  disease: string | null;
  datasets: readonly CatalogueDataset[] | undefined;
  chosen: string | null;
  /** Why there is no catalogue yet; `null` once loaded. */
  missing: string | null;
  onSelect: (filename: string) => void;
}

export function DatasetList({ stepped, disease, datasets, chosen, missing, onSelect }: DatasetListProps) {
  const title = disease === null ? 'Datasets' : `${disease} Datasets`;
  return (
    <Card aria-labelledby="dataset-list">
      <CardHeader>
        <CardTitle id="dataset-list" className="wrap-anywhere">
          {stepped ? 'Step 2: Select Dataset' : title}
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {stepped && disease !== null && <p className="text-muted text-[13px] wrap-anywhere">{title}</p>}
        {datasets === undefined ? (
          <p className="text-muted">
            {missing !== null
              ? missing
              : stepped
                ? 'Go back to step 1 and choose a disease.'
                : 'Choose a disease on the left to see its datasets.'}
          </p>
        ) : datasets.length === 0 ? (
          <p className="text-muted">No datasets here yet. Choose another disease.</p>
        ) : (
          groupDatasets(datasets).map(({ category1, groups }) => (
            <section key={category1} className="flex flex-col gap-2">
              <h3 className="text-sm font-medium">{category1}</h3>
              {groups.map(({ category2, datasets }) => (
                <div key={category2} className="flex flex-col gap-1.5">
                  <h4 className="text-muted text-xs">{category2}</h4>
                  <DatasetItems datasets={datasets} chosen={chosen} onSelect={onSelect} />
                </div>
              ))}
            </section>
          ))
        )}
      </CardContent>
    </Card>
  );
}

interface DatasetItemsProps {
  datasets: readonly CatalogueDataset[];
  /** Genes of the search: for datasets that have them, the number of expressing cells is shown. */
  genes?: GeneMatches;
  /** `dataset_filename` of the selected dataset. */
  chosen: string | null;
  onSelect: (filename: string) => void;
}

function DatasetItems({ datasets, genes, chosen, onSelect }: DatasetItemsProps) {
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

function DatasetButton({ dataset, genes, chosen, onSelect }: DatasetButtonProps) {
  const { dataset_filename, name, description, simulated, cell_count, patient_count } = dataset;
  const size = [plural(cell_count, 'cell')];
  if (patient_count !== undefined) size.push(plural(patient_count, 'patient'));
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
          <span className="font-medium">{gene}</span> in {plural(expressing, 'cell')},{' '}
          {percent(expressing, cells)}
        </span>
      ))}
    </button>
  );
}

interface MatchListProps {
  search: string;
  matches: DatasetMetadata;
  genes: GeneMatches;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

export function MatchList({ search, matches, genes, selection, onSelect }: MatchListProps) {
  return (
    <Card aria-labelledby="dataset-list">
      <CardHeader>
        <CardTitle id="dataset-list" className="wrap-anywhere">
          Datasets matching {search === '' ? 'your filters' : `“${search}”`}{' '}
          <span className="text-muted tabular-nums">({countDatasets(matches)})</span>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {countDatasets(matches) === 0 && (
          <p className="text-muted">
            Try fewer words or filters: a disease, a cell type, a gene, a treatment, or a GSE accession
            number.
          </p>
        )}
        {Object.entries(matches).map(([disease, subDiseases]) => (
          <section key={disease} className="flex flex-col gap-2">
            <h3 className="text-sm font-medium wrap-anywhere">{disease}</h3>
            {Object.entries(subDiseases).map(([subDisease, datasets]) => (
              <div key={subDisease} className="flex flex-col gap-1.5">
                <h4 className="text-muted text-xs wrap-anywhere">{subDisease}</h4>
                <DatasetItems
                  datasets={datasets}
                  genes={genes}
                  chosen={selection.dataset}
                  onSelect={(dataset) => onSelect({ disease, subDisease, dataset })}
                />
              </div>
            ))}
          </section>
        ))}
      </CardContent>
    </Card>
  );
}

export function LayoutChoice({ value, onChange }: { value: Layout; onChange: (layout: Layout) => void }) {
  return (
    <ToggleGroup
      type="single"
      aria-label="Layout"
      value={value}
      // A second click on the active layout would deselect it.
      onValueChange={(next: string) => {
        if (next === 'columns' || next === 'steps') onChange(next);
      }}
    >
      <ToggleGroupItem value="columns">
        <Columns3 aria-hidden />
        Columns
      </ToggleGroupItem>
      <ToggleGroupItem value="steps">
        <ListOrdered aria-hidden />
        Steps
      </ToggleGroupItem>
    </ToggleGroup>
  );
}

export type Layout = 'columns' | 'steps';

const key = 'cellfolio:selector-layout';
const local = () => localStorage;

/** Three columns need this width to be readable side by side. */
const narrow = '(max-width: 1099.98px)';

/** The layout that the user chose on this device; default: by window width. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [chosen, setChosen] = useState<Layout | null>(() => {
    const stored = readStored(local, key);
    return stored === 'columns' || stored === 'steps' ? stored : null;
  });
  const byWidth: Layout = useMediaQuery(narrow) ? 'steps' : 'columns';
  const hydrated = useHydrated();
  return [
    hydrated && chosen !== null ? chosen : byWidth,
    (layout) => {
      writeStored(local, key, layout);
      setChosen(layout);
    },
  ];
}
