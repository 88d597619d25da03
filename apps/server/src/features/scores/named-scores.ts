import { type ResultCaution, countText, pluralWord } from '@cellfolio/model';
import type { InputValues, PlotInput, ScoreChoice } from '@cellfolio/figures';
import { cellStateNames } from '@cellfolio/contract';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import {
  type GeneSetToScore,
  type ScoredGenes,
  type SignatureScores,
  type SignatureScoring,
} from './signature-scores.ts';
import type { GeneSetLibraries, LoadedLibrary } from '../gene-sets/index.ts';
import type { Selection } from '../selection/index.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';

/** Default name of a score. */
export const unnamedScore = 'Unnamed Signature';

export interface NamedScore extends SignatureScores, ScoredGenes, Omit<InputValues['score'], 'scores'> {
  cautions: readonly ResultCaution[];
  library?: LoadedLibrary;
}

type ScoreInput = Extract<PlotInput, { from: 'score' }>;

export class NamedScores {
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  readonly #libraries: GeneSetLibraries;
  readonly #scoring: Pick<SignatureScoring, 'genesOf' | 'score' | 'version'>;

  constructor(deps: {
    datasets: Pick<OpenDatasets, 'get'>;
    libraries: GeneSetLibraries;
    scoring: Pick<SignatureScoring, 'genesOf' | 'score' | 'version'>;
  }) {
    this.#datasets = deps.datasets;
    this.#libraries = deps.libraries;
    this.#scoring = deps.scoring;
  }

  /** Throws ApiFailure 400 for an unknown cell state, 422 when the dataset has too few of the genes. */
  async of(selection: Selection, choice: ScoreChoice, call: CallContext): Promise<NamedScore> {
    const { set, library } = await this.#genesOf(choice);
    const dataset = await this.#datasets.get(selection.manifest);
    const scoredSet = await this.#scoring.genesOf(dataset, set);
    const score = await this.#scoring.score(selection, scoredSet.rows, call);
    const total = scoredSet.rows.length + scoredSet.missing.length;
    const count =
      scoredSet.missing.length === 0
        ? countText(total)
        : `${countText(scoredSet.rows.length)} of ${countText(total)}`;
    return {
      ...score,
      ...scoredSet,
      title: set.name,
      subtitle: `${count} ${pluralWord(total, 'gene')}${library ? ` · ${library.title}` : ''}`,
      ...(library && { library }),
    };
  }

  /** For figures: scores depend on the version of the orthologue tables, a cell state's on that of its library, too. */
  async version({ score }: ScoreInput): Promise<string> {
    const library = score.of === 'cell-state' ? (await this.#libraries.cellStates()).version : '';
    return `${library}|${await this.#scoring.version()}`;
  }

  /** As `of`, reduced to what a figure shows. */
  async find(selection: Selection, { score }: ScoreInput, call: CallContext): Promise<InputValues['score']> {
    return shownOf(await this.of(selection, score, call));
  }

  async #genesOf(choice: ScoreChoice): Promise<{ set: GeneSetToScore; library?: LoadedLibrary }> {
    if (choice.of === 'signature') {
      return { set: { name: choice.score_name.trim() || unnamedScore, genes: choice.genes } };
    }
    const { name, genes, library } = await cellStateGenes(this.#libraries, choice.cell_state);
    return { set: { name, genes, state: { minimumGenes: choice.minimum_genes } }, library };
  }
}

export function shownOf({ title, subtitle, scores, cautions }: NamedScore): InputValues['score'] {
  return { title, subtitle, scores, cautions };
}

/** The genes of a hallmark state, and their library. Throws ApiFailure 400 for an unknown name. */
async function cellStateGenes(
  libraries: GeneSetLibraries,
  cellState: string,
): Promise<{ name: string; genes: readonly string[]; library: LoadedLibrary }> {
  const name = cellState.toUpperCase();
  if (!cellStateNames.includes(name)) {
    throw new ApiFailure(
      400,
      'unknown_cell_state',
      `There is no cell state ${JSON.stringify(cellState)}. Choose one of the fifty hallmark states, such as HYPOXIA.`,
      { details: { known: cellStateNames } },
    );
  }
  const library = await libraries.cellStates();
  return { name, genes: library.sets.find((set) => set.name === name)?.genes ?? [], library };
}
