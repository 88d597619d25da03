import type { DatasetAnalysis, PartChoice, SubclusteringChoice } from '@cellfolio/contract';
import { mapNumbers, mapNumbersOf, samplesDefaults } from '@cellfolio/contract';
import { settings, type Setting, typedChoice, type TypedSettings } from '@/features/uploads/index.ts';

interface SubclusteringForm {
  name: string;
  typed: TypedSettings;
  part: PartChoice;
}

export const subclusteringSettings: readonly Setting[] = settings.filter(({ name }) => name in mapNumbers);

export function batchColumns({ columns, patient_metadata: fields, samples }: DatasetAnalysis): string[] {
  const several = columns.patient_metadata
    .filter(({ field }) => (new Map(Object.entries(fields)).get(field)?.length ?? 0) > 1)
    .map(({ column }) => column);
  return [...new Set([...several.filter((column) => column === samples?.column), ...several.toSorted()])];
}

/** Integration of the dataset and its batch column, the default for its parts. */
function integrationOf({ processing }: DatasetAnalysis): Pick<PartChoice, 'integrate' | 'batchColumn'> {
  const { integration, batchColumn } = processing?.samples ?? {};
  return integration === undefined ? {} : { integrate: integration.method, batchColumn };
}

export function emptyForm(name: string, analysis: DatasetAnalysis): SubclusteringForm {
  return {
    name,
    typed: {},
    part: { resolutions: samplesDefaults.resolutions, ...integrationOf(analysis) },
  };
}

export function choicesOf({ typed, part }: SubclusteringForm): SubclusteringChoice {
  const { integrate, batchColumn, resolutions } = part;
  return {
    ...mapNumbersOf(typedChoice(typed)),
    resolutions: [...resolutions],
    ...(batchColumn !== undefined && { integrate, batchColumn }),
  };
}

export function integrationHint(analysis: DatasetAnalysis): string {
  const { batchColumn: over } = integrationOf(analysis);
  if (over !== undefined) return `By default over ${over}, like the dataset itself.`;
  if (batchColumns(analysis).length === 0) return 'No column separates batches of these cells.';
  return 'None by default. Choose the column of samples if clusters turn out to be samples.';
}
