import type { CatalogueDataset } from '@cellfolio/contract';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { DatasetItems } from './dataset-items.tsx';
import { groupDatasets } from './group-datasets.ts';

interface DatasetListProps {
  /** One of three steps, rather than a column beside the others. */
  stepped: boolean;
  disease: string | null;
  datasets: readonly CatalogueDataset[] | undefined;
  chosen: string | null;
  /** Why there is no catalogue yet; `null` where there is one. */
  missing: string | null;
  onSelect: (filename: string) => void;
}

/** The datasets of the chosen sub-disease, under their two categories. */
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
