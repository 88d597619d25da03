import type { Caution } from '@cellfolio/model';
import type { GeneIndex } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { listedNames } from '../../runtime/listed-names.ts';
import { lookUpGenes, noGenesFound } from '../catalogue/index.ts';

/** Genes to be scored together. */
export interface GeneSetToScore {
  /** Title of the score. */
  readonly name: string;
  readonly genes: readonly string[];
  /** Set where the genes are those of a hallmark state: the fewest to be found. */
  readonly state?: { readonly minimumGenes: number };
}

/** What a dataset has of the genes of a score. */
export interface ScoredGenes {
  /** Rows in var. */
  readonly rows: readonly number[];
  /** As the dataset spells them. */
  readonly symbols: readonly string[];
  readonly missing: readonly string[];
  readonly cautions: readonly Caution[];
}

/** A signature of fewer genes shows single genes. */
const fewOfSignature = 3;
/** Below this, or below half of the set, a hallmark state is scored by too little of what its name promises. */
const fewOfState = 10;

/**
 * Finds the genes of a score. Throws ApiFailure 422 where the dataset has none of them, or fewer of a cell state than
 * were asked for.
 */
export function scoredGenes(index: GeneIndex, set: GeneSetToScore): ScoredGenes {
  const { found, missing } = lookUpGenes(index, set.genes);
  if (found.length === 0) throw noGenesFound(set.name, missing);
  const symbols = found.map(({ symbol }) => symbol);
  const total = found.length + missing.length;
  if (set.state && found.length < set.state.minimumGenes) {
    throw tooFewGenes(set.name, set.state.minimumGenes, symbols, missing);
  }
  return {
    rows: found.map(({ row }) => row),
    symbols,
    missing,
    cautions: set.state
      ? [...fewGenesOfState(set.name, found.length, total), ...otherCase(set, symbols)]
      : fewGenesOfSignature(found.length, total),
  };
}

function tooFewGenes(
  name: string,
  minimum: number,
  found: readonly string[],
  missing: readonly string[],
): ApiFailure {
  const total = found.length + missing.length;
  return new ApiFailure(
    422,
    'too_few_genes',
    `The dataset has ${found.length} of the ${total} genes of ${name} (${listedNames(found)}). At least ${minimum} are required: a score of fewer shows those genes, not the state. A lower minimum scores it all the same.`,
    { details: { found_genes: found, set_genes: total, minimum_genes: minimum } },
  );
}

function fewGenesOfState(name: string, found: number, total: number): Caution[] {
  if (found >= fewOfState && found * 2 >= total) return [];
  return [
    {
      code: 'few-genes',
      message: `${name} is scored with ${found} of its ${total} genes, the only ones that the dataset has: the score may show these genes rather than the state.`,
      numbers: { foundGenes: found, setGenes: total },
    },
  ];
}

function fewGenesOfSignature(found: number, total: number): Caution[] {
  if (found >= fewOfSignature) return [];
  const genes = found === 1 ? 'one gene' : `${found} genes`;
  const named = total === found ? '' : ` of the ${total} named`;
  return [
    {
      code: 'few-genes',
      message: `The score is of ${genes}${named}: it shows ${found === 1 ? 'that gene' : 'those genes'} against control genes rather than a shared programme.`,
      numbers: { foundGenes: found, setGenes: total },
    },
  ];
}

/** The hallmark sets hold human symbols: where the dataset spells them otherwise, it may be of another species. */
function otherCase(set: GeneSetToScore, symbols: readonly string[]): Caution[] {
  const named = new Set(set.genes);
  const other = symbols.filter((symbol) => !named.has(symbol));
  const [example] = other;
  if (example === undefined) return [];
  const are = other.length === 1 ? 'is' : 'are';
  return [
    {
      code: 'matched-regardless-of-case',
      message: `${other.length} of the ${symbols.length} genes found of ${set.name} ${are} spelt differently in the dataset, such as ${example}. The set is of human genes; they were matched regardless of case and not by a table of orthologues, so genes of another name in another species are left out.`,
      numbers: { otherCase: other.length, foundGenes: symbols.length, example },
    },
  ];
}
