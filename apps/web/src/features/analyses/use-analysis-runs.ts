import type { DatasetAnalysis } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { CellGroup } from '@/features/subsets/index.ts';
import { randomId } from '@/lib/session-id.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type { AnalysisForm, AnalysisForms, AnalysisModule, AnalysisResult } from './analysis-module.ts';
import { formOf, readForms } from './analysis-module.ts';
import type { KeptAnalysis } from './kept-analyses.ts';
import { changesSince, useKeptAnalyses } from './kept-analyses.ts';
import { type RunningAnalysis, startedNotice, useRuns } from './use-runs.ts';

export interface AnalysisRunsOptions {
  modules: readonly AnalysisModule[];
  /** Storage key of forms and analyses: user and dataset. */
  draftKey: string;
  datasetName: string;
  title: string;
  version: string;
  /** The active subset; `null` for the whole dataset. */
  group: CellGroup | null;
  /** Number of active cells; `null` if unknown. */
  cells: number | null;
  /** The saved subsets; `undefined` while unknown. */
  subsets: readonly CellGroup[] | undefined;
}

export interface AnalysisRuns {
  modules: readonly AnalysisModule[];
  /** Title of the chosen analysis, or ''. */
  type: string;
  chooseType: (type: string) => void;
  chosen: AnalysisModule | undefined;
  forms: AnalysisForms;
  changeForm: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  run: (dataset: DatasetAnalysis) => void;
  /** Runs another request on the cells of an analysis, as a new analysis. */
  runInstead: (analysis: KeptAnalysis, request: object) => void;
  running: RunningAnalysis | null;
  error: Error | null;
  retry: (dataset: DatasetAnalysis) => void;
  analyses: readonly KeptAnalysis[];
  /** The analyses whose results are lost when the page is closed. */
  unkept: readonly KeptAnalysis[];
  open: { result: AnalysisResult; analysis: KeptAnalysis } | null;
  /** Changes since an analysis was run, one sentence each. */
  changesOf: (analysis: KeptAnalysis) => string[];
  /** Opens an analysis of the list; a result no longer in memory is computed again. */
  show: (id: string | null) => void;
  remove: (id: string) => void;
  /** Renames an analysis of the list; an empty name restores its title. */
  rename: (id: string, name: string) => void;
  compared: readonly [ComparedAnalysis, ComparedAnalysis] | null;
  /** Compares two analyses of the list, computing missing results again; `null` ends the comparison. */
  compare: (ids: readonly [string, string] | null) => void;
  /** Increments when the panel has something new to show. */
  revealed: number;
  prepare: (module: AnalysisModule, change: Partial<AnalysisForm>) => void;
  enrich: (genes: readonly string[]) => void;
}

export interface ComparedAnalysis {
  readonly result: AnalysisResult;
  readonly analysis: KeptAnalysis;
}

export function useAnalysisRuns(options: AnalysisRunsOptions): AnalysisRuns {
  const { draftKey, modules, version } = options;
  const [type, setType] = useDraft<string>(`${draftKey}:analysis-type`, '', (value) =>
    modules.map(({ title }) => title).find((title) => title === value),
  );
  const chosen = modules.find(({ title }) => title === type);
  const [forms, setForms] = useDraft(`${draftKey}:analysis-forms`, readForms(modules, {})!, (value) =>
    readForms(modules, value),
  );
  const changeForm = ({ id }: AnalysisModule, change: Partial<AnalysisForm>) =>
    // name-dictionary: by the id of a module of ours
    setForms((current) => ({ ...current, [id]: { ...current[id], ...change } as AnalysisForm }));
  const savedAnalyses = useKeptAnalyses(draftKey, modules);
  const [revealed, setRevealed] = useState(0);
  const runs = useRuns(options, savedAnalyses.keep);

  const { reopened, asked } = runs;
  const editForm = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    // A number that is left says its value again, on the way to the button that tries again.
    // name-dictionary: by the id of a module of ours, and the names of its fields
    const isNew = Object.entries(change).some(([field, value]) => forms[module.id]![field] !== value);
    changeForm(module, change);
    if (isNew && !runs.pending && reopened === null && asked?.module === module) runs.reset();
  };

  const run = (dataset: DatasetAnalysis) => {
    if (runs.pending || chosen === undefined) return;
    const { group, cells } = options;
    const subset = group && { id: group.id, name: group.name, filter: group.filter };
    const request = chosen.form.requestOf(formOf(chosen, forms, dataset), dataset);
    if (chosen.startedText) {
      toast.info('Analysis Started', { id: startedNotice, description: chosen.startedText(request) });
    }
    runs.perform({ id: randomId(), ranAt: Date.now(), version, subset, cells, module: chosen, request });
  };
  const runInstead = ({ module, subset, cells }: KeptAnalysis, request: object) => {
    if (runs.pending) return;
    runs.open(null);
    const chosenCells = { cells: subset === null ? {} : { subset: subset.filter } };
    const fullRequest = { ...request, ...chosenCells };
    runs.perform({ id: randomId(), ranAt: Date.now(), version, subset, cells, module, request: fullRequest });
  };
  // A failure is shown with the form that it is of.
  const error = asked?.module === (reopened === null ? chosen : reopened.module) ? runs.error : null;
  const prepare = (module: AnalysisModule, change: Partial<AnalysisForm>) => {
    changeForm(module, change);
    setType(module.title);
    runs.open(null);
    setRevealed((times) => times + 1);
    if (!runs.pending && asked?.module === module) runs.reset();
  };
  const openAnalysis = savedAnalyses.analyses.find(({ id }) => id === runs.openResult?.id);

  return {
    modules,
    type,
    chooseType: setType,
    chosen,
    forms,
    changeForm: editForm,
    run,
    runInstead,
    running: runs.running,
    error: isCancelled(error) ? null : error,
    retry: (dataset) => (reopened === null ? run(dataset) : runs.again(reopened)),
    analyses: savedAnalyses.analyses,
    unkept: savedAnalyses.unkept,
    open: runs.openResult && openAnalysis ? { result: runs.openResult, analysis: openAnalysis } : null,
    changesOf: (analysis) => changesSince(analysis, options),
    show: (id) => {
      const analysis = savedAnalyses.analyses.find((other) => other.id === id);
      if (id === null || runs.has(id)) runs.open(id);
      else if (analysis !== undefined) runs.again(analysis);
    },
    rename: savedAnalyses.rename,
    compared: comparedOf(runs.compared, savedAnalyses.analyses),
    compare: (ids) => {
      const both = ids?.map((id) => savedAnalyses.analyses.find((other) => other.id === id)) ?? [];
      const [first, second] = both;
      if (first !== undefined && second !== undefined) runs.compare([first, second]);
      else runs.compare(null);
    },
    revealed,
    prepare,
    remove: (id) => {
      savedAnalyses.remove(id);
      runs.forget(id);
    },
    enrich: (genes) => {
      const module = modules.find(({ form }) => form.withGenes !== undefined);
      if (module?.form.withGenes !== undefined) prepare(module, module.form.withGenes(genes));
    },
  };
}

function comparedOf(
  results: readonly (AnalysisResult | undefined)[],
  analyses: readonly KeptAnalysis[],
): AnalysisRuns['compared'] {
  const [first, second] = results.map((result) => {
    const analysis = analyses.find(({ id }) => id === result?.id);
    return result && analysis && { result, analysis };
  });
  return first && second ? [first, second] : null;
}
