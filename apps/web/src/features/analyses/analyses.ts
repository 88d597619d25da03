import type { z } from 'zod';
import { markerAnalysis } from '@/features/markers/index.ts';
import { geneSetEnrichment } from '@/features/pathways/index.ts';
import type { AnalysisForm, AnalysisModule, ReadAnswer } from './analysis-module.ts';

/** Every analysis that runs, by the name that results and kept analyses know it by. */
const analyses = { marker: markerAnalysis, pathway: geneSetEnrichment };

export type AnalysisKind = keyof typeof analyses;
export const analysisKinds = Object.keys(analyses) as AnalysisKind[];
export type AnswerOf<Kind extends AnalysisKind> = z.output<(typeof analyses)[Kind]['answer']>;
export type RequestOf<Kind extends AnalysisKind> = z.input<(typeof analyses)[Kind]['request']>;

export function moduleOf(kind: AnalysisKind): AnalysisModule {
  return analyses[kind] as unknown as AnalysisModule;
}

export function isAnalysisKind(value: unknown): value is AnalysisKind {
  return analysisKinds.some((kind) => kind === value);
}

/** What can be chosen; of those that do not run, only the start is announced. */
export const analysisTypes = [
  'DEG Analysis',
  geneSetEnrichment.title,
  markerAnalysis.title,
  'Gradient Analysis',
  'Ligand-Receptor Analysis',
  'Top/Bottom Decile Expression Profiling',
  'Trajectory Analysis',
] as const;

/** The analysis that runs for what was chosen. */
export function kindOfType(type: string): AnalysisKind | undefined {
  return analysisKinds.find((kind) => moduleOf(kind).title === type);
}

/** The forms of all analyses. */
export type AnalysisForms = Record<AnalysisKind, AnalysisForm>;

export const formDefaults = readForms({})!;

/** Remembered forms, as whoever can write to web storage may have left them. */
export function readForms(value: unknown): AnalysisForms | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = new Map<string, unknown>(Object.entries(value));
  const forms = analysisKinds.map((kind) => [kind, readForm(stored.get(kind), moduleOf(kind).form.defaults)]);
  return Object.fromEntries(forms) as AnalysisForms;
}

function readForm(value: unknown, defaults: AnalysisForm): AnalysisForm {
  const stored = new Map<string, unknown>(Object.entries(value ?? {}));
  const fields = Object.entries(defaults).map(([field, standard]) => {
    const text = stored.get(field);
    return [field, typeof text === 'string' ? text : standard];
  });
  return Object.fromEntries(fields) as AnalysisForm;
}

interface ResultOrigin {
  id: string;
  datasetName: string;
  /** 'Global' for the whole dataset. */
  subsetName: string;
  /** Of the dataset. */
  version: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether it was run before, and computed again when it was opened. */
  again: boolean;
}

export type AnalysisResult = {
  [Kind in AnalysisKind]: ResultOrigin & { kind: Kind; answer: AnswerOf<Kind> };
}[AnalysisKind];

/** How many results are kept while the page is open; a table of thirty thousand rows is a few megabytes. */
export const maxResults = 10;

export function resultTitle({ kind }: { kind: AnalysisKind }): string {
  return moduleOf(kind).title;
}

/** What came out, as it is of any analysis. */
export function readResult({ kind, answer }: AnalysisResult): ReadAnswer {
  return moduleOf(kind).read(answer);
}
