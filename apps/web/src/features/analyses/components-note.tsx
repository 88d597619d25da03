import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { columnListQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';

export function ComponentsNote({ analysis, what }: { analysis: DatasetAnalysis; what: string }) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const list = useQuery(columnListQuery(api, dataset)).data;
  if (list === undefined || list.embeddings.some(({ name }) => name === 'X_pca')) return null;
  return (
    <p role="note" className="text-warning text-xs">
      This dataset has no principal components (X_pca), and {what} is computed from them unless the file has a
      neighbor graph. Add them with scanpy’s pp.pca and upload the file again, or upload raw counts.
    </p>
  );
}
