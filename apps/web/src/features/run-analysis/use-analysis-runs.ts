import type { MarkerAnalysisRequest, PathwayAnalysisRequest, ProgressEvent } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { tellingItsEnd } from '@/features/jobs/tell-finished.ts';
import { randomId } from '@/lib/random-id.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { maxResults } from './analysis-result.ts';
import type { AnalysisType } from './analysis-types.ts';
import { readAnalysisType } from './analysis-types.ts';
import type { CellGroup } from '@/features/cell-subsets/use-active-subset.ts';
import type { EnrichmentForm } from './enrichment-form.ts';
import { enrichmentDefaults, pathwayRequest } from './enrichment-form.ts';
import type { MarkerForm } from './marker-form.ts';
import { groupByTitle, markerDefaults, markerRequest } from './marker-form.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince } from './kept-analyses.ts';
import { readEnrichmentForm, readMarkerForm } from './read-forms.ts';
import { performMarkerAnalysis, performPathwayAnalysis } from './run-calls.ts';
import { useKeptAnalyses } from './use-kept-analyses.ts';

export interface AnalysisRunsOptions {
  /** Names the user and the dataset: under this the forms and the analyses are remembered. */
  draftKey: string;
  datasetName: string;
  /** The name of the dataset as the page shows it. */
  title: string;
  /** Of the dataset, as it is open. */
  version: string;
  /** The active subset; `null` for the whole dataset. */
  group: CellGroup | null;
  /** The active cells; `null` where they are not known. */
  cells: number | null;
  /** As they are saved now; `undefined` while that is not known. */
  subsets: readonly CellGroup[] | undefined;
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
  /** Tries again what failed: a run of the form, or an analysis of the list. */
  retry: () => void;
  /** The analyses of this dataset, of this visit and those before, newest first. */
  analyses: readonly KeptAnalysis[];
  /** Of these, the ones whose results are gone with the page. */
  unkept: readonly KeptAnalysis[];
  /** The result that is open, and what it was run with. */
  open: { result: AnalysisResult; analysis: KeptAnalysis } | null;
  /** What is no longer as it was when an analysis was run, a sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list; where its result is not here any more, it is computed again. */
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Grows when the panel has something to show that it was not opened for. */
  revealed: number;
  /** Puts genes into the enrichment form and turns to it. */
  enrich: (genes: readonly string[]) => void;
}

/** The analyses of one explorer: their forms, the one that runs, and those that were run. */
export function useAnalysisRuns(options: AnalysisRunsOptions): AnalysisRuns {
  const { draftKey, title } = options;
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
  const kept = useKeptAnalyses(draftKey);
  const [results, setResults] = useState<readonly AnalysisResult[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  const [revealed, setRevealed] = useState(0);
  const markerCall = useCancellableCall((request: MarkerAnalysisRequest, handle) =>
    tellingItsEnd({ what: 'Marker analysis', text: title }, performMarkerAnalysis(api, request, handle)),
  );
  const pathwayCall = useCancellableCall((request: PathwayAnalysisRequest, handle) =>
    tellingItsEnd({ what: 'Enrichment analysis', text: title }, performPathwayAnalysis(api, request, handle)),
  );
  const pending = markerCall.isPending || pathwayCall.isPending;

  const [reopened, setReopened] = useState<KeptAnalysis | null>(null);

  /** Runs an analysis and opens its result. */
  const perform = (analysis: KeptAnalysis, isAgain: boolean) => {
    const { datasetName } = options;
    const take = (result: AnalysisResult) => {
      setResults((current) => [result, ...current.filter(({ id }) => id !== result.id)].slice(0, maxResults));
      setOpenId(result.id);
      setReopened(null);
      // No notice: it would lie over the dialog that opens and says the same.
      if (!isAgain) kept.keep(analysis);
    };
    const origin = {
      id: analysis.id,
      datasetName,
      subsetName: analysis.subset?.name ?? 'Global',
      version: options.version,
      createdAt: Date.now(),
      again: isAgain,
    };
    // The cells of then, whatever is active now.
    const subset = analysis.subset?.filter;
    const cells = isAgain ? { cells: subset === undefined ? {} : { subset } } : {};
    if (analysis.kind === 'marker') {
      pathwayCall.reset();
      markerCall.mutate(
        { ...analysis.request, ...cells },
        {
          onSuccess: (answer) => take({ ...origin, kind: 'marker', answer }),
          onError: failed('marker analysis'),
        },
      );
    } else {
      markerCall.reset();
      pathwayCall.mutate(
        { ...analysis.request, ...cells },
        {
          onSuccess: (answer) => take({ ...origin, kind: 'pathway', answer }),
          onError: failed('gene set enrichment analysis'),
        },
      );
    }
  };
  const run = () => {
    if (pending || type === '') return;
    setReopened(null);
    const { version, group, cells } = options;
    const subset = group && { id: group.id, name: group.name, filter: group.filter };
    const origin = { id: randomId(), ranAt: Date.now(), version, subset, cells };
    if (type === 'Marker Analysis') {
      perform({ ...origin, kind: 'marker', request: markerRequest(markers) }, false);
    } else if (type === 'Gene Set Enrichment Analysis') {
      perform({ ...origin, kind: 'pathway', request: pathwayRequest(enrichment) }, false);
    } else toast.info('Analysis Started', { description: `${type} is coming soon: no result follows yet.` });
  };
  const again = (analysis: KeptAnalysis) => {
    if (pending) return;
    setReopened(analysis);
    perform(analysis, true);
  };
  const show = (id: string | null) => {
    const analysis = kept.analyses.find((other) => other.id === id);
    const isHere = results.some((result) => result.id === id && result.version === options.version);
    if (id === null || isHere) setOpenId(id);
    else if (analysis !== undefined) again(analysis);
  };
  const running: RunningAnalysis | null = markerCall.isPending
    ? {
        title: 'Running Marker Analysis',
        text: `Comparing the groups of ${groupByTitle(markerCall.variables?.groupby ?? '')}`,
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
  const isPathway = reopened === null ? type === 'Gene Set Enrichment Analysis' : reopened.kind === 'pathway';
  const error = isPathway ? pathwayCall.error : markerCall.error;
  const openResult = results.find(({ id }) => id === openId);
  const openAnalysis = kept.analyses.find(({ id }) => id === openId);

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
    retry: () => (reopened === null ? run() : again(reopened)),
    analyses: kept.analyses,
    unkept: kept.unkept,
    open: openResult && openAnalysis ? { result: openResult, analysis: openAnalysis } : null,
    changesOf: (analysis) => changesSince(analysis, options),
    show,
    revealed,
    remove: (id) => {
      kept.remove(id);
      setResults((current) => current.filter((result) => result.id !== id));
      if (reopened?.id === id) setReopened(null);
    },
    enrich: (genes) => {
      setEnrichment((current) => ({ ...current, genes: genes.join(', ') }));
      setType('Gene Set Enrichment Analysis');
      setOpenId(null);
      setRevealed((times) => times + 1);
      if (!pathwayCall.isPending) pathwayCall.reset();
    },
  };
}

function failed(words: string): (error: Error) => void {
  return (error) => {
    if (isCancelled(error)) return;
    toast.error('Analysis Failed', { description: `Failed to run ${words}. Please try again.` });
  };
}
