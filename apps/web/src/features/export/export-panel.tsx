import { useId, useState } from 'react';
import { type ExportContents, type ExportContentsRequest, fileSize } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { CellSetField, type ChosenSet } from '@/features/cell-sets/index.ts';
import { CellxgenePanel } from '@/features/cellxgene/index.ts';
import { CheckOption } from '@/components/check-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { saveFile } from '@/lib/files.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { DownloadProgress } from '@/components/download-progress.tsx';
import {
  type ExportPanelProps,
  ExportCellsPanel,
  type ChosenCellsProps,
  cellsField,
} from './export-cells-panel.tsx';
import { downloadDataset, exportContentsQuery } from './download-dataset.ts';
import { type ChosenScores, ScoreFields, scoresField } from './score-fields.tsx';

const formats = [
  { value: 'csv', label: 'Table of the cells (CSV)' },
  { value: 'parquet', label: 'Table of the cells (Parquet)' },
  { value: 'h5ad', label: 'Everything, for scanpy and R (.h5ad)' },
] as const;
type Format = (typeof formats)[number]['value'];

export function ExportPanel(props: ExportPanelProps) {
  const id = useId();
  const [format, setFormat] = useState<Format>('csv');
  const [cells, setCells] = useState<ChosenSet>();
  return (
    <div className="flex flex-col gap-4">
      <CellSetField
        label="Cells to export"
        dataset={{ filename: props.filename, version: props.analysis.version }}
        value={cells}
        none="The active cells"
        onChange={setCells}
      />
      <RadioGroup
        aria-label="Format of the file"
        className="gap-1.5"
        value={format}
        onValueChange={(next) => setFormat(next as Format)}
      >
        {formats.map(({ value, label }) => (
          <div key={value} className="flex items-center gap-2">
            <RadioGroupItem id={`${id}-${value}`} value={value} />
            <Label htmlFor={`${id}-${value}`} className="text-[13px] font-normal">
              {label}
            </Label>
          </div>
        ))}
      </RadioGroup>
      {format === 'h5ad' ? (
        <DatasetFilePanel {...props} cells={cells} />
      ) : (
        <ExportCellsPanel {...props} cells={cells} format={format} />
      )}
      <CellxgenePanel {...props} />
    </div>
  );
}

function DatasetFilePanel({
  datasetName,
  analysis,
  signatures,
  activeSubset,
  cells,
  onReload,
}: ChosenCellsProps &
  Pick<ExportPanelProps, 'datasetName' | 'analysis' | 'signatures' | 'activeSubset' | 'onReload'>) {
  const { api } = useServices();
  const [counts, setCounts] = useState(true);
  const [annotations, setAnnotations] = useState(true);
  const [scores, setScores] = useState<ChosenScores>({ signature: null, cellState: null });
  const request: ExportContentsRequest = {
    counts,
    annotations,
    ...scoresField(scores),
    ...cellsField(cells),
  };
  const { group } = activeSubset.active;
  const opened = JSON.stringify([datasetName, analysis.version, group?.name, group?.filter]);
  const contents = useQuery({
    ...exportContentsQuery(api, opened, request),
    enabled: !activeSubset.isApplying,
  });
  const call = useCancellableCall((request: ExportContentsRequest, handle) =>
    downloadDataset(api, request, handle),
  );
  const run = usePlotRun<ExportContentsRequest, Blob, never>({
    call,
    complete: contents.data !== undefined,
    busy: activeSubset.isApplying,
    failed: 'Failed to export the dataset. Please try again.',
  });
  const start = () => {
    if (run.disabled || contents.data === undefined) return;
    const name = contents.data.file_name;
    run.draw(request, (file) => {
      saveFile(file, name);
      toast.success('Download started', { description: `${name}, ${fileSize(file.size)}` });
    });
  };
  const { progress } = call;

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-2">
        <CheckOption checked={counts} onChange={setCounts}>
          Raw counts
        </CheckOption>
        <CheckOption checked={annotations} onChange={setAnnotations}>
          Your annotations and kept numbers
        </CheckOption>
      </div>
      <ScoreFields signatures={signatures} chosen={scores} onChange={setScores} />
      {contents.data === undefined ? (
        <ContentsPending error={contents.error} onRetry={() => void contents.refetch()} />
      ) : (
        <ContentsOfFile contents={contents.data} />
      )}
      <PlotRunControls
        run={run}
        label="Download .h5ad"
        working="Downloading..."
        keptNote="Your choices are kept."
        onRun={start}
        onReload={onReload}
      />
      {call.isPending && (
        <DownloadProgress
          doing="Preparing the file"
          received={progress?.done ?? null}
          total={progress?.total}
          onCancel={call.cancel}
        />
      )}
    </div>
  );
}

function ContentsPending({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) return <p className="text-muted text-xs">Listing the contents of the file.</p>;
  return (
    <p role="alert" className="text-danger text-xs">
      {`The contents of the file could not be listed: ${reasonOf(error)} `}
      <Button variant="link" size="inline" className="text-xs" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}

function ContentsOfFile({
  contents: { cell_count, bytes, contents, left_out },
}: {
  contents: ExportContents;
}) {
  return (
    <div className="text-muted flex flex-col gap-2 text-xs">
      <p>{`${plural(cell_count, 'cell')} as .h5ad, roughly ${fileSize(bytes)}.`}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        {contents.map(({ part, text }) => (
          <div key={part} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-foreground font-mono">{part}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      {left_out.length > 0 && (
        <div>
          <p className="text-foreground font-medium">Not in the file</p>
          <ul className="list-disc pl-4">
            {left_out.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
