import type { DatasetAnalysis, PartChoice, SubclusteringChoice } from '@cellfolio/contract';
import { samplesDefaults } from '@cellfolio/contract';
import { settings, type Setting, typedChoice, type TypedSettings } from '@/features/uploads/index.ts';

interface SubclusteringForm {
  name: string;
  typed: TypedSettings;
  part: PartChoice;
}

const reasons = new Map<Setting['name'], string>([
  [
    'variableGenes',
    'At most: those that vary among these cells. 2,000, as in the tutorials of scanpy and Seurat.',
  ],
  [
    'components',
    'Fewer where there are fewer cells. 50 keep small groups apart; 20 are often enough for few cells.',
  ],
  ['neighbours', 'Of each cell, for clusters and UMAP alike. 15 shows small groups; more of them smooths.'],
  ['resolution', 'Of the Leiden clustering; a larger one gives more clusters. 1 is the usual beginning.'],
  ['minimumDistance', 'Of the UMAP: how close its points may lie. At 0.3 groups stay legible.'],
]);

export const subclusteringSettings: readonly Setting[] = settings.flatMap((setting) => {
  const hint = reasons.get(setting.name);
  return hint === undefined ? [] : [{ ...setting, hint }];
});

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
  const { variableGenes, components, neighbours, resolution, minimumDistance } = typedChoice(typed);
  return {
    ...(variableGenes !== undefined && { variableGenes }),
    ...(components !== undefined && { components }),
    ...(neighbours !== undefined && { neighbours }),
    ...(resolution !== undefined && { resolution }),
    ...(minimumDistance !== undefined && { minimumDistance }),
    resolutions: [...resolutions],
    ...(batchColumn !== undefined && { integrate, batchColumn }),
  };
}

export function integrationHint(analysis: DatasetAnalysis): string {
  const { batchColumn: over } = integrationOf(analysis);
  if (over !== undefined) return `By default over ${over}, as the dataset itself was integrated.`;
  if (batchColumns(analysis).length === 0) return 'No column tells batches of these cells apart.';
  return 'None by default. Choose the column of samples if clusters turn out to be samples.';
}
