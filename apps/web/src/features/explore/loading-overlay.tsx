import type { ProgressEvent } from '@cellfolio/contract';
import { clustersTitle, describeFigure } from '@cellfolio/figures/content';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { NotifyButton } from '@/features/uploads/index.ts';
import type { CategoryNames } from '@/features/category-displays/index.ts';
import { nameList } from '@/lib/format.ts';
import { percentOf } from '@/lib/progress.ts';
import type { Exploration } from './use-exploration.ts';

interface Operation {
  title: string;
  text: string;
  /** `null` if unknown. */
  progress: ProgressEvent | null;
  /** Running for more than ten seconds. */
  slow: boolean;
  onCancel: () => void;
  notifies?: boolean;
}

/** Covers the figures while new ones are drawn. Fades in late, so that it does not flash on quick responses. */
export function LoadingOverlay({ operations }: { operations: readonly Operation[] }) {
  if (operations.length === 0) return null;
  return (
    <div className="bg-veil animate-appear-late absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 overflow-y-auto rounded-lg">
      {operations.map((operation) => (
        <OperationCard key={operation.title} operation={operation} />
      ))}
    </div>
  );
}

function OperationCard({
  operation: { title, text, progress, slow, onCancel, notifies },
}: {
  operation: Operation;
}) {
  const percent = percentOf(progress);
  return (
    <div className="bg-surface flex w-80 max-w-full flex-col items-center gap-1 rounded-lg border px-8 py-6 text-center shadow-lg">
      <Spinner className="text-accent mb-2 size-6" />
      <div role="status" className="w-full min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="text-muted text-[13px] wrap-anywhere">{text}</p>
        {slow && (
          <p className="text-muted mt-1 text-[13px]">
            This takes longer than usual. You can wait or cancel: nothing is lost.
          </p>
        )}
      </div>
      {/* The room for the bar is there from the start: the button does not move away under the pointer. */}
      <div className="mt-2 h-8 w-full">
        {percent !== null && (
          <>
            <Progress value={percent} aria-label={`Progress of ${title}`} />
            <p className="text-muted mt-1 flex justify-between gap-2 text-xs">
              <span className="truncate">{progress?.stage}</span>
              <span className="tabular-nums">{percent}%</span>
            </p>
          </>
        )}
      </div>
      <Button variant="secondary" size="sm" className="mt-1" onClick={onCancel}>
        Cancel
      </Button>
      {slow && notifies === true && <NotifyButton className="mt-1" />}
    </div>
  );
}

export function operationsOf(
  {
    calls: { gene, signature, cellType, cellState, contents },
    several: { call: several },
    activeSubset,
    runs,
    groupedBy,
    addressDraw,
  }: Exploration,
  names: CategoryNames,
): Operation[] {
  const operations: Operation[] = [];
  if (gene.isPending) {
    operations.push(operation('Generating Gene UMAP', nameList(gene.variables?.genes ?? []), gene));
  }
  if (several.isPending) {
    const { genes = [], subsets = [] } = several.variables ?? {};
    const where = nameList(subsets.map(({ name }) => name));
    operations.push(operation('Generating Gene UMAP', `${nameList(genes)} in ${where}`, several));
  }
  if (signature.isPending) {
    operations.push(operation('Scoring Signature', signature.variables?.score_name ?? '', signature));
  }
  if (cellType.isPending) {
    const { cell_types = [], leiden_clusters = [] } = cellType.variables ?? {};
    const clusters = leiden_clusters.length > 0 ? [clustersTitle(leiden_clusters.map(names.cluster))] : [];
    const text = [
      ...(cell_types.length > 0 ? [nameList(cell_types.map(names.cellType))] : []),
      ...clusters,
    ].join(', ');
    operations.push(
      operation(cell_types.length > 0 ? 'Filtering Cell Types' : 'Visualizing Clusters', text, cellType),
    );
  }
  if (cellState.isPending) {
    operations.push(operation('Visualizing Cell State', cellState.variables?.cell_state ?? '', cellState));
  }
  if (contents.isPending) {
    const titles = (contents.variables?.sources ?? []).map(
      ({ content, annotations }) => describeFigure(content, groupedBy, annotations).title,
    );
    operations.push(operation('Drawing Figures', nameList(titles), contents));
  }
  if (activeSubset.isApplying) {
    operations.push(operation('Applying Subset Filter', activeSubset.applying?.name ?? '', activeSubset));
  }
  // A result that is computed again says so in its tab.
  if (runs.running !== null && runs.running.again === undefined) operations.push(runs.running);
  if (addressDraw.isPending) {
    const { slow, cancel } = addressDraw;
    const text = 'Drawing the images of the link';
    operations.push(operation('Opening Shared View', text, { progress: null, slow, cancel }));
  }
  return operations;
}

function operation(
  title: string,
  text: string,
  { progress, slow, cancel }: Pick<Operation, 'progress' | 'slow'> & { cancel: () => void },
): Operation {
  return { title, text, progress, slow, onCancel: cancel };
}
