import type { DatasetAnalysis, ExportCellsRequest } from '@cellfolio/contract';
import { fileSize } from '@cellfolio/contract';
import { useId, useState } from 'react';
import { CheckOption } from '@/components/check-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import type { ChosenSet } from '@/features/cell-sets/index.ts';
import { useSetCounts } from '@/features/cell-sets/index.ts';
import type { ActiveSubset } from '@/features/subsets/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { anyFile } from '@/lib/api-client.ts';
import { callFailure } from '@/lib/call-failure.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { DownloadProgress } from '@/components/download-progress.tsx';
import type { ChosenScores, Signature } from './score-fields.tsx';
import { ScoreFields, scoresField } from './score-fields.tsx';

export interface ExportPanelProps {
  datasetName: string;
  filename: string;
  analysis: DatasetAnalysis;
  index: GeneIndex;
  genes: readonly string[];
  genesPerCall: number;
  signatures: readonly Signature[];
  activeSubset: ActiveSubset;
  onReload: () => Promise<boolean>;
}

export interface ChosenCellsProps {
  /** Set of cells used instead of the active ones. */
  cells: ChosenSet | undefined;
}

type TableFormat = NonNullable<ExportCellsRequest['format']>;

interface ExportCellsPanelProps extends ExportPanelProps, ChosenCellsProps {
  format: TableFormat;
}

export function ExportCellsPanel(props: ExportCellsPanelProps) {
  const { datasetName, filename, analysis, index, genesPerCall, activeSubset, onReload, format } = props;
  const id = useId();
  const { api } = useServices();
  const [own, setOwn] = useState<readonly string[] | null>(null);
  const [metadata, setMetadata] = useState(true);
  const [coordinates, setCoordinates] = useState(true);
  const [scores, setScores] = useState<ChosenScores>({ signature: null, cellState: null });
  const genes = own ?? props.genes;
  const { group, answer } = activeSubset.active;
  const countOf = useSetCounts(
    { filename, version: analysis.version },
    props.cells ? [props.cells] : [],
    props.cells !== undefined,
  );
  const active = answer?.cell_count ?? (group === null ? analysis.cell_count : undefined);
  const cells = props.cells ? countOf(0) : active;
  const request: ExportCellsRequest = {
    genes: [...genes],
    metadata,
    coordinates,
    ...scoresField(scores),
    ...cellsField(props.cells),
    ...(format !== 'csv' && { format }),
  };
  const excess = genes.length - genesPerCall;
  const call = useCancellableCall((request: ExportCellsRequest, handle) => exportCells(api, request, handle));
  const run = usePlotRun<ExportCellsRequest, Blob, never>({
    call,
    complete: excess <= 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to export the cells. Please try again.',
  });
  const start = () => {
    if (run.disabled) return;
    const name = cellsFileName(datasetName, (props.cells ?? group)?.name ?? null, format);
    run.draw(request, (file) => {
      saveFile(file, name);
      toast.success('Download started', { description: `${name}, ${fileSize(file.size)}` });
    });
  };

  return (
    <div className="flex flex-col gap-3">
      <GenePicker
        index={index}
        label="Genes to export"
        chosenLabel="Genes of the file"
        max={genesPerCall}
        genes={genes}
        onChange={setOwn}
        onConfirm={start}
      />
      {own !== null && props.genes.length > 0 && (
        <Button variant="link" size="inline" className="self-start text-xs" onClick={() => setOwn(null)}>
          Use the genes of Gene Visualization
        </Button>
      )}
      <div className="flex flex-col gap-2">
        <CheckOption checked={metadata} onChange={setMetadata}>
          Metadata of the cells
        </CheckOption>
        <CheckOption checked={coordinates} onChange={setCoordinates}>
          UMAP coordinates
        </CheckOption>
      </div>
      <ScoreFields signatures={props.signatures} chosen={scores} onChange={setScores} />
      {cells !== undefined && (
        <p className="text-muted text-xs">
          {`${plural(cells, 'cell')} as ${titles[format]}, roughly ${fileSize(roughSize(cells, analysis, request))}.`}
        </p>
      )}
      <PlotRunControls
        run={run}
        label="Export Cells"
        working="Exporting..."
        keptNote="Your choices are kept."
        onRun={start}
        onReload={onReload}
        problem={
          excess > 0
            ? {
                id: `${id}-excess`,
                text: `At most ${plural(genesPerCall, 'gene')} can be exported at once; remove ${formatCount(excess)}.`,
              }
            : undefined
        }
      />
      {call.isPending && (
        <DownloadProgress
          doing="Preparing the table"
          received={call.progress?.done ?? null}
          onCancel={call.cancel}
        />
      )}
    </div>
  );
}

/**
 * The table as a file. The call needs headers that a link cannot carry, so the file passes through the page as a Blob,
 * which browsers keep on disk if large; progress is in bytes. @throws {CallFailed}
 */
async function exportCells(
  api: ApiClient,
  request: ExportCellsRequest,
  { signal, onProgress }: CallHandle,
): Promise<Blob> {
  try {
    return await api({
      path: '/api/export-cells',
      body: request,
      answer: anyFile,
      expects: 'file',
      signal,
      onBytes: (received) => onProgress({ stage: 'Downloading', done: received, total: received }),
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw callFailure('Failed to export the cells', cause);
  }
}

export function cellsField(cells: ChosenSet | undefined): Pick<ExportCellsRequest, 'cells'> {
  return cells ? { cells: { subset: { ...cells.filter, subset_group_name: cells.name } } } : {};
}

/** '<dataset>-<subset>-cells.csv', as on the server. */
export function cellsFileName(dataset: string, subset: string | null, format: TableFormat): string {
  return `${fileNamePart(dataset)}-${fileNamePart(subset ?? 'all')}-cells.${format}`;
}

const titles: Readonly<Record<TableFormat, string>> = { csv: 'CSV', parquet: 'Parquet' };

/** Bytes of a barcode, a metadata label, a coordinate, a gene value (mostly 0) and a score. */
const typicalBytes: Readonly<
  Record<TableFormat, Record<'barcode' | 'label' | 'coordinate' | 'gene' | 'score', number>>
> = {
  csv: { barcode: 22, label: 9, coordinate: 11, gene: 5, score: 12 },
  parquet: { barcode: 14, label: 1, coordinate: 4, gene: 1.5, score: 8 },
};

/** Estimated size of the file in bytes, without columns unknown to the page. */
export function roughSize(
  cells: number,
  { patient_metadata, cell_types, leiden_clusters }: DatasetAnalysis,
  {
    genes = [],
    metadata = true,
    coordinates = true,
    signature,
    cell_state,
    format = 'csv',
  }: ExportCellsRequest,
): number {
  const roles = [cell_types, leiden_clusters].filter(({ length }) => length > 0).length;
  const labels = metadata ? Object.keys(patient_metadata).length + roles : 0;
  const scores = [signature, cell_state].filter((score) => score !== undefined).length;
  const { barcode, label, coordinate, gene, score } = typicalBytes[format];
  const columns = labels * label + (coordinates ? 2 * coordinate : 0) + genes.length * gene + scores * score;
  return cells * (barcode + columns);
}
