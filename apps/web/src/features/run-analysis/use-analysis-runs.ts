import type { MarkerAnalysisRequest, PathwayAnalysisRequest, ProgressEvent } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { tellingItsEnd } from '@/features/jobs/tell-finished.ts';
import { counted } from '@/lib/counted.ts';
import { randomId } from '@/lib/random-id.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { maxResults } from './analysis-result.ts';
import type { AnalysisType } from './analysis-types.ts';
import { readAnalysisType } from './analysis-types.ts';
import type { EnrichmentForm } from './enrichment-form.ts';
import { enrichmentDefaults, pathwayRequest } from './enrichment-form.ts';
import type { MarkerForm } from './marker-form.ts';
import { markerDefaults, markerRequest } from './marker-form.ts';
import { readEnrichmentForm, readMarkerForm } from './read-forms.ts';
import { performMarkerAnalysis, performPathwayAnalysis } from './run-calls.ts';

export interface AnalysisRunsOptions {
  /** Under this the forms are remembered. */
  draftKey: string;
  datasetName: string;
  /** The active subset; 'Global' for the whole dataset. */
  subsetName: string;
}

/** What the overlay over the figures shows while an analysis runs. */
export interface RunningAnalysis {
  title: 'Running Marker Analysis' | 'Running GSE Analysis';
  text: string;
  /** How far the work has come; `null` while that is not known. */
  progress: ProgressEvent | null;
  slow: boolean;
  /** Its end is told to who looks elsewhere. */
  told: true;
  /** Ends the call, and with it the work on the server. */
  onCancel: () => void;
}

export interface AnalysisRuns {
  type: AnalysisType | '';
  chooseType: (type: AnalysisType) => void;
  markers: MarkerForm;
  changeMarkers: (change: Partial<MarkerForm>) => void;
  enrichment: EnrichmentForm;
  changeEnrichment: (change: Partial<EnrichmentForm>) => void;
  run: () => void;
  running: RunningAnalysis | null;
  error: Error | null;
  /** Newest first. */
  results: readonly AnalysisResult[];
  /** The result that is open. */
  open: AnalysisResult | null;
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Grows when the panel has something to show that it was not opened for. */
  revealed: number;
  /** Puts genes into the enrichment form and turns to it. */
  enrich: (genes: readonly string[]) => void;
}

/** The analyses of one explorer: their forms, the one that runs, and the results of this visit. */
export function useAnalysisRuns({ draftKey, datasetName, subsetName }: AnalysisRunsOptions): AnalysisRuns {
  const { api } = useServices();
  const [type, setType] = useDraft<AnalysisType | ''>(`${draftKey}:analysis-type`, '', (value) =>
    readAnalysisType(value),
  );
  const [markers, setMarkers] = useDraft(`${draftKey}:markers`, markerDefaults, readMarkerForm);
  const [enrichment, setEnrichment] = useDraft(
    `${draftKey}:enrichment`,
    enrichmentDefaults,
    readEnrichmentForm,
  );
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  const [revealed, setRevealed] = useState(0);
  const markerCall = useCancellableCall((request: MarkerAnalysisRequest, handle) =>
    tellingItsEnd(
      { what: 'Marker analysis', text: datasetName },
      performMarkerAnalysis(api, request, handle),
    ),
  );
  const pathwayCall = useCancellableCall((request: PathwayAnalysisRequest, handle) =>
    tellingItsEnd(
      { what: 'Enrichment analysis', text: datasetName },
      performPathwayAnalysis(api, request, handle),
    ),
  );
  const pending = markerCall.isPending || pathwayCall.isPending;

  const keep = (result: AnalysisResult) => {
    setResults((current) => [result, ...current].slice(0, maxResults));
    setOpenId(result.id);
  };
  const origin = () => ({ id: randomId(), datasetName, subsetName, createdAt: Date.now() });
  const failed = (words: string) => (error: Error) => {
    if (isCancelled(error)) return;
    toast.error('Analysis Failed', { description: `Failed to run ${words}. Please try again.` });
  };

  const runMarkers = () => {
    pathwayCall.reset();
    markerCall.mutate(markerRequest(markers), {
      onSuccess: (answer) => {
        keep({ ...origin(), kind: 'marker', answer });
        const found = answer.groups.reduce((sum, group) => sum + group.markers, 0);
        toast.success('Marker Analysis Complete', {
          description: `${counted(found, 'marker')} of ${counted(answer.groups.length, 'group')}.`,
        });
      },
      onError: failed('marker analysis'),
    });
  };
  const runEnrichment = () => {
    markerCall.reset();
    pathwayCall.mutate(pathwayRequest(enrichment), {
      onSuccess: (answer) => {
        keep({ ...origin(), kind: 'pathway', answer });
        toast.success('Gene Set Enrichment Analysis Complete', {
          description: `${counted(answer.found_genes.length, 'gene')} tested against ${answer.library.name}.`,
        });
      },
      onError: failed('gene set enrichment analysis'),
    });
  };

  const run = () => {
    if (pending || type === '') return;
    if (type === 'Marker Analysis') runMarkers();
    else if (type === 'Gene Set Enrichment Analysis') runEnrichment();
    else toast.info('Analysis Started', { description: `${type} is coming soon: no result follows yet.` });
  };
  const running: RunningAnalysis | null = markerCall.isPending
    ? {
        title: 'Running Marker Analysis',
        text: `Comparing the groups of ${markerCall.variables?.groupby ?? ''}`,
        progress: markerCall.progress,
        slow: markerCall.slow,
        told: true,
        onCancel: markerCall.cancel,
      }
    : pathwayCall.isPending
      ? {
          title: 'Running GSE Analysis',
          text: `Testing the genes against ${pathwayCall.variables?.library_name ?? ''}`,
          progress: pathwayCall.progress,
          slow: pathwayCall.slow,
          told: true,
          onCancel: pathwayCall.cancel,
        }
      : null;
  const error = type === 'Gene Set Enrichment Analysis' ? pathwayCall.error : markerCall.error;

  return {
    type,
    chooseType: setType,
    markers,
    changeMarkers: (change) => setMarkers((current) => ({ ...current, ...change })),
    enrichment,
    changeEnrichment: (change) => setEnrichment((current) => ({ ...current, ...change })),
    run,
    running,
    error: isCancelled(error) ? null : error,
    results,
    open: results.find(({ id }) => id === openId) ?? null,
    show: setOpenId,
    revealed,
    remove: (id) => setResults((current) => current.filter((result) => result.id !== id)),
    enrich: (genes) => {
      setEnrichment((current) => ({ ...current, genes: genes.join(', ') }));
      setType('Gene Set Enrichment Analysis');
      setOpenId(null);
      setRevealed((times) => times + 1);
      if (!pathwayCall.isPending) pathwayCall.reset();
    },
  };
}
