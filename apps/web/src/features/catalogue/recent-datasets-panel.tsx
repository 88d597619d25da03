import type { DatasetMetadata } from '@cellfolio/contract';
import { History } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { relativeTime } from '@/lib/format.ts';
import { useNow } from '@/lib/use-time.ts';
import { explorerPath, SimulatedBadge } from './dataset-metadata.tsx';
import { matchRecentDatasets, readRecentDatasets } from './recent-datasets.ts';

export function RecentDatasetsPanel({ catalogue }: { catalogue: DatasetMetadata | undefined }) {
  const [entries] = useState(readRecentDatasets);
  const now = useNow(60_000);
  return (
    <Card aria-labelledby="recent-datasets">
      <CardHeader>
        <CardTitle id="recent-datasets" className="flex items-center gap-2">
          <History aria-hidden className="text-muted size-4" />
          Recently Selected
        </CardTitle>
      </CardHeader>
      <CardContent className="px-2 pb-2">
        {entries.length === 0 ? (
          <p className="text-muted px-2 pb-2 text-[13px]">Datasets you explore are listed here.</p>
        ) : (
          <ul>
            {matchRecentDatasets(entries, catalogue).map(({ disease, dataset, name, timestamp, entry }) => {
              const text = entry?.description.trim() ?? '';
              return (
                <li key={`${disease}\n${dataset}`}>
                  <Link
                    to={explorerPath(disease, dataset)}
                    title={dataset}
                    className="hover:bg-surface-2 flex flex-col gap-0.5 rounded-md px-2 py-1.5 transition-colors"
                  >
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="truncate text-[13px] font-medium">
                        {entry?.name ?? name ?? dataset}
                      </span>
                      <span className="text-muted shrink-0 text-xs tabular-nums">
                        {relativeTime(timestamp, now)}
                      </span>
                    </span>
                    <span className="text-muted line-clamp-2 text-xs">
                      {[disease, text].filter((part) => part !== '').join(' · ')}
                    </span>
                    {entry?.simulated === true && <SimulatedBadge />}
                  </Link>
                </li>
              );
            })}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}
