import { mapColumnList } from '@cellfolio/contract';
import type { RenderFigureRequest } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { FigureImage } from '@/components/figure-image.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { anyFile } from '@/lib/api-client.ts';
import { dataUrl } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { useShownTheme } from '@/lib/use-browser.ts';

interface SampleMapsProps {
  fileId: string;
  batchColumn: string;
}

const size = { width: 420, height: 320, ratio: 2 } as const;

export function SampleMaps({ fileId, batchColumn }: SampleMapsProps) {
  const { api } = useServices();
  const dataset = `custom:${fileId}`;
  const list = useQuery({
    queryKey: ['sample-maps', dataset],
    queryFn: ({ signal }) =>
      api({
        path: `/api/datasets/${encodeURIComponent(dataset)}/columns`,
        answer: mapColumnList,
        signal,
      }),
  });
  if (list.isError) return <p className="text-muted text-xs">The maps could not be loaded.</p>;
  if (list.data === undefined) return <Skeleton className="h-40" />;
  const { version, embeddings } = list.data;
  const named = (name: string) => embeddings.some((one) => one.name === name);
  const maps = [
    { title: 'Before integration', embedding: 'X_umap_unintegrated' },
    { title: 'After integration', embedding: 'X_umap' },
  ].filter(({ embedding }) => named(embedding));
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {maps.map(({ title, embedding }) => (
        <figure key={embedding} className="flex min-w-0 flex-col gap-1">
          <figcaption className="text-xs font-medium">
            {title}, by {batchColumn}
          </figcaption>
          <SampleMap {...{ dataset, version, embedding, batchColumn }} title={title} />
        </figure>
      ))}
    </div>
  );
}

interface SampleMapProps {
  dataset: string;
  version: string;
  embedding: string;
  batchColumn: string;
  title: string;
}

function SampleMap({ dataset, version, embedding, batchColumn, title }: SampleMapProps) {
  const { api } = useServices();
  const theme = useShownTheme();
  const body: RenderFigureRequest = {
    source: {
      dataset_filename: dataset,
      version,
      content: { kind: 'obs-umap', column: batchColumn },
    },
    format: 'png',
    view: { ...size, theme, whole: true },
    shown: { embedding, axes: [0, 1] },
  };
  const mapQuery = useQuery({
    queryKey: ['sample-map', body],
    queryFn: async ({ signal }) =>
      dataUrl(await api({ path: '/api/render-figure', body, answer: anyFile, expects: 'file', signal })),
    staleTime: Infinity,
  });
  return (
    <div
      className="bg-figure overflow-hidden rounded-md border"
      style={{ aspectRatio: size.width / size.height }}
    >
      {mapQuery.isError ? (
        <p className="text-muted p-3 text-xs">This map could not be drawn.</p>
      ) : mapQuery.data === undefined ? (
        <Skeleton className="size-full" />
      ) : (
        <FigureImage
          src={mapQuery.data}
          alt={`UMAP of all cells by ${batchColumn}, ${title.toLowerCase()}`}
        />
      )}
    </div>
  );
}
