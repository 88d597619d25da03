import type { CellModelAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { suggestedWords } from '@/features/cell-types/index.ts';
import { formatCount, percent, plural } from '@/lib/format.ts';

export function ModelFacts({ answer }: { answer: CellModelAnswer }) {
  const { model, genes, cells, suggestions, parameters } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Model:</span> {model.name} · {plural(model.type_count, 'type')} ·{' '}
          {formatCount(genes.found)} of {plural(genes.total, 'gene')} in the dataset · suggested for{' '}
          {suggestedWords(suggestions)}
        </>
      }
    >
      <dt>Model</dt>
      <dd className="wrap-anywhere">
        {[
          model.file,
          model.source,
          model.species,
          model.licence === '' ? 'licence not stated' : `licence: ${model.licence}`,
        ]
          .filter((part) => part !== '')
          .join('; ')}
      </dd>
      <dt>Probability</dt>
      <dd>
        as in CellTypist: each gene is scaled by its mean and standard deviation in training, capped at 10,
        and multiplied by the coefficient of a type; the logistic function of the sum. Types are scored
        independently: their probabilities do not add up to 1.
      </dd>
      <dt>Vote</dt>
      <dd>
        each cell votes for its most probable type, and a group gets the type of most of its cells. It is
        Unclear where the mean probability is below {percent(parameters.min_probability, 1)}, the type is best
        in less than {percent(parameters.min_share, 1)} of the cells, or is not{' '}
        {percent(parameters.min_margin, 1)} of them ahead of the next.
      </dd>
      <dt>Cells</dt>
      <dd>
        {formatCount(cells.classified)} classified, {formatCount(cells.unclear)} of them in Unclear groups
      </dd>
    </ResultFacts>
  );
}
