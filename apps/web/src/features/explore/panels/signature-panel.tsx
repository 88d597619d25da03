import type { Caution, PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import { useId } from 'react';
import { CautionList } from '@/components/caution-list.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { toast } from '@/components/ui/toast.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { hasNoRequestedGenes } from '@/lib/call-failure.ts';
import { formatCount } from '@/lib/format.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import type { Exploration } from '../use-exploration.ts';
import type { FoundGenes } from './run-outcome.tsx';
import { generatedText, RunResult, ViolinOption } from './run-outcome.tsx';

const maxScoreNameLength = 200;

interface Outcome extends FoundGenes {
  warnings: readonly Caution[];
}

export function SignaturePanel({ exploration }: { exploration: Exploration }) {
  const { draftKey, index, groupedBy, analysis, activeSubset, calls, images, onReload } = exploration;
  const id = useId();
  const [genes, setGenes] = useDraft<string[]>(`${draftKey}:signature-genes`, [], readTexts);
  const [name, setName] = useDraft(`${draftKey}:signature-name`, '', readText);
  const [violin, setViolin] = useDraft(`${draftKey}:signature-violin`, false, readFlag);
  const scoreName = name.trim();
  const { group, answer: subset } = activeSubset.active;
  const subsetCells = group === null ? undefined : subset?.cell_count;
  const run = usePlotRun<PlotSignatureRequest, PlotSignatureAnswer, Outcome>({
    call: calls.signature,
    complete: genes.length > 0 && scoreName !== '',
    busy: activeSubset.isApplying,
    failed: 'Failed to score signature. Please try again.',
  });

  const score = () => {
    if (run.disabled) return;
    run.draw(
      { genes, score_name: scoreName, violin_plot: violin },
      (answer) => {
        const { found_genes: found, not_found_genes: notFound, warnings } = answer;
        run.setOutcome({ found, notFound, warnings });
        const count = images.score.onGenerated(answer);
        toast.success('Signature Scored Successfully', {
          description: generatedText(count, [answer.score_name]),
        });
      },
      (error) => {
        if (hasNoRequestedGenes(error)) run.setOutcome({ found: [], notFound: genes, warnings: [] });
      },
    );
  };

  return (
    <div className="flex flex-col gap-3">
      <GenePicker
        index={index}
        label="Signature genes"
        chosenLabel="Selected signature genes"
        genes={genes}
        onChange={setGenes}
        onConfirm={score}
      />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-name`} className="text-[13px]">
          Signature Name
        </Label>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={maxScoreNameLength}
          autoComplete="off"
          placeholder="Cytotoxicity"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {subsetCells !== undefined && (
        <p className="text-muted text-xs">
          {`Scored on the ${formatCount(subsetCells)} active of ${formatCount(analysis.cell_count)} cells, including control genes, as scanpy scores adata[subset]. A signature filter scores all cells, so its scores differ.`}
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
