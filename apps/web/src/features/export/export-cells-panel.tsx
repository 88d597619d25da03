import type { DatasetAnalysis, ExportCellsRequest } from '@cellfolio/contract';
import { fileSize } from '@cellfolio/contract';
import { useId, useState } from 'react';
import { PlotRunControls } from '@/components/plot-run-controls.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { toast } from '@/components/ui/toast.ts';
import { usePlotRun } from '@/components/use-plot-run.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch } from '@/features/genes/index.ts';
import type { ActiveSubset } from '@/features/subsets/index.ts';
import { counted, formatCount } from '@/lib/format.ts';
import { saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { cellsFileName, exportCells, roughSize } from './export-cells.ts';
import type { ChosenScores, Signature } from './score-fields.tsx';
import { ScoreFields, scoresAsked } from './score-fields.tsx';

interface ExportCellsPanelProps {
  /** As the page shows it. */
  datasetName: string;
  analysis: DatasetAnalysis;
  index: GeneIndex;
  /** Chosen in the search of genes: offered until others are chosen here. */
  genes: readonly string[];
  /** Most genes that one call takes. */
  genesPerCall: number;
  /** That were scored on the dataset. */
  signatures: readonly Signature[];
  activeSubset: ActiveSubset;
  onReload: () => Promise<boolean>;
}

/** Export Cells: the active cells as a table, with the genes and scores that are chosen. */
export function ExportCellsPanel(props: ExportCellsPanelProps) {
  const { datasetName, analysis, index, genesPerCall, activeSubset, onReload } = props;
  const id = useId();
  const { api } = useServices();
  const [own, setOwn] = useState<readonly string[] | null>(null);
  const [metadata, setMetadata] = useState(true);
  const [coordinates, setCoordinates] = useState(true);
  const [scores, setScores] = useState<ChosenScores>({ signature: null, cellState: null });
  const genes = own ?? props.genes;
  const { group, answer } = activeSubset.active;
  const cells = answer?.cell_count ?? (group === null ? analysis.cell_count : null);
  const request: ExportCellsRequest = { genes: [...genes], metadata, coordinates, ...scoresAsked(scores) };
  const excess = genes.length - genesPerCall;
  const call = useCancellableCall((wanted: ExportCellsRequest, handle) => exportCells(api, wanted, handle));
  const run = usePlotRun<ExportCellsRequest, Blob, never>({
    call,
    complete: excess <= 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to export the cells. Please try again.',
  });
  const start = () => {
    if (run.disabled) return;
    const name = cellsFileName(datasetName, group?.name ?? null);
    run.draw(request, (file) => {
      saveFile(file, name);
      toast.success('Download started', { description: `${name}, ${fileSize(file.size)}` });
    });
  };

  return (
    <div className="flex flex-col gap-3">
      <GeneSearch
        index={index}
        label="Genes to export"
        chosen={genes}
        onAdd={(added) => setOwn([...genes, ...added])}
        onRemoveLast={() => setOwn(genes.slice(0, -1))}
        onConfirm={start}
      />
      <GeneChips
        label="Genes of the file"
        genes={genes}
        onRemove={(gene) => setOwn(genes.filter((other) => other !== gene))}
        onClear={() => setOwn([])}
      />
      {own !== null && props.genes.length > 0 && (
        <Button variant="link" size="inline" className="self-start text-xs" onClick={() => setOwn(null)}>
          Use the genes of Gene Visualization
        </Button>
      )}
      <div className="flex flex-col gap-2">
        <Option checked={metadata} onChange={setMetadata}>
          Metadata of the cells
        </Option>
        <Option checked={coordinates} onChange={setCoordinates}>
          UMAP coordinates
        </Option>
      </div>
      <ScoreFields signatures={props.signatures} chosen={scores} onChange={setScores} />
      {cells !== null && (
        <p className="text-muted text-xs">
          {`${counted(cells, 'cell')} as CSV, roughly ${fileSize(roughSize(cells, analysis, request))}.`}
        </p>
      )}
      <PlotRunControls
        run={run}
        label="Export Cells"
        working="Exporting..."
        kept="Your choices are kept."
        onRun={start}
        onReload={onReload}
        problem={
          excess > 0
            ? {
                id: `${id}-excess`,
                text: `At most ${counted(genesPerCall, 'gene')} can be exported at once; remove ${formatCount(excess)}.`,
              }
            : undefined
        }
      />
      {call.isPending && <Download received={call.progress?.done ?? null} onCancel={call.cancel} />}
    </div>
  );
}

interface OptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: string;
}

function Option({ checked, onChange, children }: OptionProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-[13px]">
      <Checkbox id={id} checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id}>{children}</label>
    </div>
  );
}

/** How long the file is depends on its values: the bar moves, and the bytes are told. */
function Download({ received, onCancel }: { received: number | null; onCancel: () => void }) {
  return (
    <div className="flex flex-col gap-1.5">
      <Progress aria-label="Progress of the export" value={null} />
      <div className="text-muted flex items-center justify-between text-xs">
        <span className="tabular-nums">
          {received === null ? 'Preparing the table' : `${fileSize(received)} received`}
        </span>
        <Button variant="link" size="inline" className="text-xs" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
