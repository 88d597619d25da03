import type { PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/input.tsx';
import { Label } from '@/components/ui/label.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { GeneChips } from '@/features/gene-visualization/gene-chips.tsx';
import type { GeneIndex } from '@/features/gene-visualization/gene-index.ts';
import { GeneSearch } from '@/features/gene-visualization/gene-search.tsx';
import type { GeneratedCount } from '@/features/gene-visualization/generated-text.ts';
import { generatedText } from '@/features/gene-visualization/generated-text.ts';
import { PlotFailureAlert } from '@/features/gene-visualization/plot-failure-alert.tsx';
import { noDatasetLoaded } from '@/features/gene-visualization/plot-failure.ts';
import { RunResult } from '@/features/gene-visualization/run-result.tsx';
import { ViolinOption } from '@/features/gene-visualization/violin-option.tsx';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import { plotSignatureEnrichment } from './plot-signature-enrichment.ts';

export function usePlotSignature() {
  const { api } = useServices();
  return useCancellableCall((request: PlotSignatureRequest, handle) =>
    plotSignatureEnrichment(api, request, handle),
  );
}

/** The most characters that a score's name may have. */
export const longestScoreName = 200;

interface SignaturePanelProps {
  /** Under this the form is remembered. */
  draftKey: string;
  index: GeneIndex;
  call: ReturnType<typeof usePlotSignature>;
  busy: boolean;
  onGenerated: (answer: PlotSignatureAnswer) => GeneratedCount;
  onReload: () => Promise<boolean>;
}

/** Signature Visualization: a set of genes becomes one score, shown on the UMAP. */
export function SignaturePanel({ draftKey, index, call, busy, onGenerated, onReload }: SignaturePanelProps) {
  const id = useId();
  const [genes, setGenes] = useDraft<string[]>(`${draftKey}:signature-genes`, [], readTexts);
  const [name, setName] = useDraft(`${draftKey}:signature-name`, '', readText);
  const [violin, setViolin] = useDraft(`${draftKey}:signature-violin`, false, readFlag);
  const [result, setResult] = useState<{ found: string[]; notFound: string[] } | null>(null);
  const scoreName = name.trim();
  const disabled = genes.length === 0 || scoreName === '' || call.isPending || busy;

  const score = () => {
    if (disabled) return;
    setResult(null);
    call.mutate(
      { genes, score_name: scoreName, violin_plot: violin },
      {
        onSuccess: (answer) => {
          setResult({ found: answer.found_genes, notFound: answer.not_found_genes });
          const count = onGenerated(answer);
          toast.success('Signature Scored Successfully', {
            description: generatedText(count, [answer.score_name]),
          });
        },
        onError: (error) => {
          if (isCancelled(error)) return;
          toast.error('Error', {
            description:
              error.message === noDatasetLoaded
                ? noDatasetLoaded
                : 'Failed to score signature. Please try again.',
          });
        },
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
      <ViolinOption checked={violin} onChange={setViolin} />
      <Button onClick={score} disabled={disabled} className="w-full">
        {call.isPending ? (
          <>
            <Spinner />
            Scoring...
          </>
        ) : (
          `Score Signature (${genes.length})`
        )}
      </Button>
      <PlotFailureAlert
        error={call.error}
        kept="Your genes, the name and your images are kept."
        onRetry={score}
        onReload={onReload}
      />
      {result !== null && <RunResult found={result.found} notFound={result.notFound} />}
    </div>
  );
}
