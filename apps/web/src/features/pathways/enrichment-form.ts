import { expressedDefaults, type PathwayAnalysisRequest, speciesName } from '@cellfolio/contract';
import { numberOrZero } from '@/features/analyses/index.ts';

/** The fields as they are typed. */
export interface EnrichmentForm {
  /** Genes separated by commas, or by what a pasted list has between them. */
  genes: string;
  library: string;
  background: string;
  /** In percent. */
  minimumShare: string;
  minimumCells: string;
  /** Genes as above. */
  ownBackground: string;
  minimumOverlap: string;
  /** '' where it is detected. */
  species: string;
}

export const defaultLibrary = 'KEGG_2021_Human';
export const enrichmentDefaults: EnrichmentForm = {
  genes: '',
  library: defaultLibrary,
  background: 'expressed',
  minimumShare: String(100 * expressedDefaults.minimum_share),
  minimumCells: String(expressedDefaults.minimum_cells),
  ownBackground: '',
  minimumOverlap: '2',
  species: '',
};

/** The backgrounds with what they mean for the result. */
export const backgroundChoices = [
  {
    value: 'expressed',
    label: 'Expressed genes (default)',
    about:
      'Genes that the active cells express. Only they could have entered your list; a larger background makes even random lists look significant.',
  },
  {
    value: 'library',
    label: 'Genes of the library',
    about: 'All genes of any set of the library, as gseapy takes them where no background is given.',
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

const mostOwnGenes = 60_000;

/** The unique genes of a text, trimmed and upper-cased, in their order. */
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

/** What is asked of the server: what differs from its defaults is named. */
export function pathwayRequest(form: EnrichmentForm): PathwayAnalysisRequest {
  const background = backgroundOf(form);
  const minimum_overlap = Math.trunc(numberOrZero(form.minimumOverlap));
  const { data: species } = speciesName.safeParse(form.species);
  return {
    pathway_genes: readGeneList(form.genes),
    library_name: form.library,
    ...(background && { background }),
    ...(minimum_overlap !== 2 && { minimum_overlap }),
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

/** What the server would refuse, said beside its field. */
export function enrichmentProblems(form: EnrichmentForm): Partial<Record<keyof EnrichmentForm, string>> {
  const { background, minimum_overlap = 2 } = pathwayRequest(form);
  const problems: Partial<Record<keyof EnrichmentForm, string>> = {};
  if (minimum_overlap < 1 || minimum_overlap > 1000) problems.minimumOverlap = 'From 1 to 1,000.';
  if (background?.kind === 'expressed') {
    const { minimum_share = 0, minimum_cells = 0 } = background;
    if (minimum_share < 0 || minimum_share > 1) problems.minimumShare = 'From 0 to 100.';
    if (minimum_cells < 1) problems.minimumCells = 'At least 1.';
  }
  if (background?.kind === 'own') {
    const count = background.genes.length;
    if (count === 0) problems.ownBackground = 'Name the genes of the background.';
    if (count > mostOwnGenes) problems.ownBackground = 'At most 60,000 genes.';
  }
  return problems;
}
