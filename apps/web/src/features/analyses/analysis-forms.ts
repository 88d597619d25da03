import type { AnalysisForm, AnalysisModule } from './analysis-module.ts';

/** The forms of all analyses, by the ids of these. */
export type AnalysisForms = Readonly<Record<string, AnalysisForm>>;

/** Remembered forms, as whoever can write to web storage may have left them. */
export function readForms(modules: readonly AnalysisModule[], value: unknown): AnalysisForms | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(modules.map(({ id, form }) => [id, readForm(stored.get(id), form.defaults)]));
}

function readForm(value: unknown, defaults: AnalysisForm): AnalysisForm {
  const stored = new Map<string, unknown>(Object.entries(value ?? {}));
  const fields = Object.entries(defaults).map(([field, standard]) => {
    const text = stored.get(field);
    return [field, typeof text === 'string' ? text : standard];
  });
  return Object.fromEntries(fields) as AnalysisForm;
}
