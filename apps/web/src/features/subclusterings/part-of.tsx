import type { SubclusteringRecord } from '@cellfolio/contract';
import { CornerLeftUp, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { customFilePath } from '@/features/uploads/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useSubclusterings } from './subclustering-calls.ts';

/** '1,234 of 5,000 cells, T cells'. */
export function partText({ cells, of_cells: all, definition }: SubclusteringRecord): string {
  const shown =
    cells === all ? `all ${plural(all, 'cell')}` : `${formatCount(cells)} of ${plural(all, 'cell')}`;
  return definition === 'all cells' ? shown : `${shown}, ${definition}`;
}

/** The name of a part beside its parent: without the parent's name, with which a new part is named. */
export function nameInParent(name: string, parent: string): string {
  return (name.startsWith(`${parent}, `) && name.slice(parent.length + 2).trim()) || name;
}

export function datasetPath(dataset: string, name: string): string {
  const own = /^custom:(.+)$/.exec(dataset)?.[1];
  if (own !== undefined) return customFilePath({ id: own, file_name: name });
  return `/explorer?${new URLSearchParams({ dataset })}`;
}

export function ParentCrumb({ filename, otherwise }: { filename: string; otherwise: string }) {
  const { data } = useSubclusterings(filename);
  const part = data?.part_of;
  if (!part) return `${otherwise} / `;
  const { dataset_filename: dataset, name, state } = part;
  if (state === 'removed') return `Part of ${name} / `;
  return (
    <>
      Part of{' '}
      <Link to={datasetPath(dataset, name)} className="rounded underline underline-offset-4">
        {name}
      </Link>
      {' / '}
    </>
  );
}

export function ParentWarnings({ filename }: { filename: string }) {
  const { data } = useSubclusterings(filename);
  return (data?.part_of?.warnings ?? []).map(({ dataset, code, message }) => (
    <Alert key={`${dataset}\n${code}\n${message}`} variant="warning">
      <TriangleAlert aria-hidden />
      <span className="min-w-0 break-words">
        <span className="font-medium">Of {dataset}, the source of these cells:</span> {message}
      </span>
    </Alert>
  ));
}

export function PartOf({ filename }: { filename: string }) {
  const { data } = useSubclusterings(filename);
  const part = data?.part_of;
  if (!part) return null;
  const { dataset_filename: dataset, name, state } = part;
  return (
    <p className="flex gap-1.5 text-[13px]">
      <CornerLeftUp aria-hidden className="text-muted mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere tabular-nums">
        Part of{' '}
        {state === 'removed' ? (
          <span className="font-medium">{name}</span>
        ) : (
          <Link to={datasetPath(dataset, name)} className="rounded font-medium underline underline-offset-4">
            {name}
          </Link>
        )}
        : {partText(part)}
        {state === 'removed' && '. That dataset has since been deleted; this one is complete.'}
        {state === 'replaced' && '. That dataset has since been replaced by a newer version.'}
      </span>
    </p>
  );
}
