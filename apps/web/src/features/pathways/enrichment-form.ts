import { type FieldNote, speciesNote } from '@cellfolio/analyses';
import type { DatasetAnalysis, PathwayAnalysisRequest } from '@cellfolio/contract';
import {
  enrichmentBackground,
  expressedDefaults,
  pathwayAnalysisRequest,
  plainLibraryName,
  speciesName,
} from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem } from '@/features/analyses/index.ts';

export interface EnrichmentForm {
  /** Genes separated by commas, or by the separators of a pasted list. */
  genes: string;
  library: string;
  background: string;
  /** In percent. */
  minimumShare: string;
  minimumCells: string;
  ownBackground: string;
  minimumOverlap: string;
  /** Empty to detect it. */
  species: string;
}

const { library_name, minimum_overlap } = pathwayAnalysisRequest.shape;
const [expressed, , , own] = enrichmentBackground.options;

export const defaultLibrary = library_name.def.defaultValue;
export const enrichmentNumbers = {
  minimumShare: numberParameter(expressed.shape.minimum_share, 100),
  minimumCells: numberParameter(expressed.shape.minimum_cells),
  minimumOverlap: numberParameter(minimum_overlap),
};
const { minimumShare, minimumCells, minimumOverlap } = enrichmentNumbers;

export const enrichmentDefaults: EnrichmentForm = {
  genes: '',
  library: defaultLibrary,
  background: 'expressed',
  minimumShare: minimumShare.defaultValue,
  minimumCells: minimumCells.defaultValue,
  ownBackground: '',
  minimumOverlap: minimumOverlap.defaultValue,
  species: '',
};

export const backgroundChoices = [
  {
    value: 'expressed',
    label: 'Expressed genes (default)',
    about:
      'Genes that the active cells express. Only these could be in your list; a larger background makes even random lists look significant.',
  },
  {
    value: 'library',
    label: 'Genes of the library',
    about: 'All genes of any set of the library, the default of gseapy.',
  },
  {
    value: 'dataset',
    label: 'All genes of the dataset',
    about: 'Every gene of the file, expressed or not. This inflates significance.',
  },
  {
    value: 'own',
    label: 'My own list',
    about: 'The genes that your list was chosen from, such as those of a panel or those you tested.',
  },
] as const;

/** Tells how a library is used on a dataset; undefined for one of the operator, whose species is not known before the run. */
export function libraryNote(
  { species: dataset }: Pick<DatasetAnalysis, 'species'>,
  { library, species }: Pick<EnrichmentForm, 'library' | 'species'>,
): FieldNote | undefined {
  if (species !== '' || plainLibraryName(library) === library) return undefined;
  const note = speciesNote(dataset, 'human');
  if (!dataset.named_as_human || dataset.mapped.includes('human')) {
    return note && (note.isRefused ? { problem: note.text } : { hint: note.text });
  }
  const text = `This dataset has ${dataset.name ?? ''} genes, named after human genes: choose Human as the species to compare by name.`;
  return { problem: text };
}

/** Unique genes of a text, trimmed and upper-cased, in order. */
export function readGeneList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .map((gene) => gene.trim().toUpperCase())
        .filter((gene) => gene !== ''),
    ),
  ];
}

export function againstGenes(genes: readonly string[], tested: readonly string[]): Partial<EnrichmentForm> {
  return { genes: genes.join(', '), background: 'own', ownBackground: tested.join(', ') };
}

export function pathwayRequest(form: EnrichmentForm): PathwayAnalysisRequest {
  const background = backgroundOf(form);
  const overlap = Math.trunc(numberOrZero(form.minimumOverlap));
  const { data: species } = speciesName.safeParse(form.species);
  return {
    pathway_genes: readGeneList(form.genes),
    library_name: form.library,
    ...(background && { background }),
    ...(String(overlap) !== minimumOverlap.defaultValue && { minimum_overlap: overlap }),
    ...(species && { species }),
  };
}

function backgroundOf(form: EnrichmentForm): PathwayAnalysisRequest['background'] {
  switch (form.background) {
    case 'library':
    case 'dataset':
      return { kind: form.background };
    case 'own':
      return { kind: 'own', genes: readGeneList(form.ownBackground) };
    default: {
      const minimum_share = numberOrZero(form.minimumShare) / 100;
      const minimum_cells = Math.trunc(numberOrZero(form.minimumCells));
      const isDefault =
        minimum_share === expressedDefaults.minimum_share &&
        minimum_cells === expressedDefaults.minimum_cells;
      return isDefault ? undefined : { kind: 'expressed', minimum_share, minimum_cells };
    }
  }
}

export function isValid(form: EnrichmentForm): boolean {
  if (numberProblem(minimumOverlap, form.minimumOverlap) !== undefined) return false;
  if (form.background === 'own') return ownBackgroundProblem(form) === undefined;
  if (form.background !== 'expressed') return true;
  return (
    numberProblem(minimumShare, form.minimumShare) === undefined &&
    numberProblem(minimumCells, form.minimumCells) === undefined
  );
}

export function ownBackgroundProblem({ ownBackground }: EnrichmentForm): string | undefined {
  const read = own.safeParse({ kind: 'own', genes: readGeneList(ownBackground) });
  return read.error?.issues[0]?.message;
}
