import type { DamagedDataset } from '@cellfolio/contract';
import { damagedDatasets } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { FileWarning } from 'lucide-react';
import { Badge } from '@/components/ui/badge.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

/** Short, because an operator may repair a dataset while the page is open. */
const freshMilliseconds = 60_000;

export function DamagedDatasetsCard() {
  const { api } = useServices();
  const { data, isError } = useQuery({
    queryKey: ['damaged-datasets'],
    queryFn: ({ signal }) => api({ path: '/api/damaged-datasets', answer: damagedDatasets, signal }),
    staleTime: freshMilliseconds,
  });
  if (isError) {
    return <p className="text-muted px-1 text-xs">Could not check for damaged datasets.</p>;
  }
  if (data === undefined || data.datasets.length === 0) return null;
  return (
    <Card aria-labelledby="damaged-datasets">
      <CardHeader>
        <CardTitle id="damaged-datasets" className="flex items-center gap-2">
          <FileWarning aria-hidden className="text-muted size-4" />
          Damaged Datasets
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <p className="text-muted text-[13px]">
          {plural(data.datasets.length, 'dataset')} of this server cannot be read. All others work as usual.
        </p>
        <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto">
          {data.datasets.map((dataset) => (
            <li key={dataset.dataset_filename}>
              <DamagedItem dataset={dataset} />
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}

function DamagedItem({ dataset }: { dataset: DamagedDataset }) {
  const { dataset_filename, name, disease, subdisease, message } = dataset;
  return (
    <div className="bg-surface-2 text-muted flex flex-col gap-1 rounded-md border px-3 py-2">
      <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <span className="text-[13px] font-medium break-all">{dataset_filename}</span>
        <Badge variant="danger">Damaged</Badge>
      </span>
      {name !== undefined && (
        <span className="text-[13px] wrap-anywhere">
          {name} · {disease} · {subdisease}
        </span>
      )}
      <span className="text-xs wrap-anywhere">{message}</span>
    </div>
  );
}
