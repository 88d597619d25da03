import type { Caution, PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import type { GroupedBy } from '@cellfolio/plots/content';
import { useId } from 'react';
import { CautionList } from '@/components/caution-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch } from '@/features/genes/index.ts';
import { foundNoGenes } from '@/lib/call-failure.ts';
import { formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import { plotSignatureEnrichment } from './plot-signature-enrichment.ts';
import type { FoundGenes, GeneratedCount } from './run-outcome.tsx';
import { generatedText, RunResult, ViolinOption } from './run-outcome.tsx';

export function usePlotSignature() {
  const { api } = useServices();
  return useCancellableCall((request: PlotSignatureRequest, handle) =>
    plotSignatureEnrichment(api, request, handle),
  );
}

/** The most characters that a score's name may have. */
const longestScoreName = 200;

/** Which genes were scored, and what to know of the score. */
interface Outcome extends FoundGenes {
  warnings: readonly Caution[];
}

interface SignaturePanelProps {
  /** Under this the form is remembered. */
  draftKey: string;
  index: GeneIndex;
  groupedBy: GroupedBy;
  call: ReturnType<typeof usePlotSignature>;
  busy: boolean;
  /** Cells of the active subset; `null` where none is active or its count is not known. */
  subsetCells: number | null;
  datasetCells: number;
  onGenerated: (answer: PlotSignatureAnswer) => GeneratedCount;
  onReload: () => Promise<boolean>;
}

/** Signature Visualization: a set of genes becomes one score, shown on the UMAP. */
export function SignaturePanel({
  draftKey,
  index,
  groupedBy,
  call,
  busy,
  subsetCells,
  datasetCells,
  onGenerated,
  onReload,
}: SignaturePanelProps) {
  const id = useId();
  const [genes, setGenes] = useDraft<string[]>(`${draftKey}:signature-genes`, [], readTexts);
  const [name, setName] = useDraft(`${draftKey}:signature-name`, '', readText);
  const [violin, setViolin] = useDraft(`${draftKey}:signature-violin`, false, readFlag);
  const scoreName = name.trim();
  const run = usePlotRun<PlotSignatureRequest, PlotSignatureAnswer, Outcome>({
    call,
    complete: genes.length > 0 && scoreName !== '',
    busy,
    failed: 'Failed to score signature. Please try again.',
  });

  const score = () => {
    if (run.disabled) return;
    run.draw(
      { genes, score_name: scoreName, violin_plot: violin },
      (answer) => {
        const { found_genes: found, not_found_genes: notFound, warnings } = answer;
        run.setOutcome({ found, notFound, warnings });
        const count = onGenerated(answer);
        toast.success('Signature Scored Successfully', {
          description: generatedText(count, [answer.score_name]),
        });
      },
      (error) => {
        if (foundNoGenes(error)) run.setOutcome({ found: [], notFound: genes, warnings: [] });
      },
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <GeneSearch
        index={index}
        label="Signature genes"
        chosen={genes}
        onAdd={(added) => setGenes((current) => [...current, ...added])}
        onRemoveLast={() => setGenes((current) => current.slice(0, -1))}
        onConfirm={score}
      />
      <GeneChips
        label="Selected signature genes"
        genes={genes}
        onRemove={(gene) => setGenes((current) => current.filter((other) => other !== gene))}
        onClear={() => setGenes([])}
      />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-name`} className="text-[13px]">
          Signature Name
        </Label>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={longestScoreName}
          autoComplete="off"
          placeholder="Cytotoxicity"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {subsetCells !== null && (
        <p className="text-muted text-xs">
          {`Scored on the ${formatCount(subsetCells)} active of ${formatCount(datasetCells)} cells, control genes included, as scanpy scores adata[subset]. A signature filter scores all cells, so the same genes have other scores there.`}
        </p>
      )}
      <ViolinOption checked={violin} onChange={setViolin} groupedBy={groupedBy} />
      <PlotRunControls
        run={run}
        label={`Score Signature (${genes.length})`}
        working="Scoring..."
        kept="Your genes, the name and your images are kept."
        onRun={score}
        onReload={onReload}
      >
        {run.outcome !== null && (
          <>
            <RunResult found={run.outcome.found} notFound={run.outcome.notFound} />
            <CautionList cautions={run.outcome.warnings} />
          </>
        )}
      </PlotRunControls>
    </div>
  );
}
