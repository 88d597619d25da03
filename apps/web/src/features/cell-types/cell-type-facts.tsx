import type { CellTypeAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function CellTypeFacts({ answer }: { answer: CellTypeAnswer }) {
  const { marker_set: set, markers, suggestions, parameters, gene_count: genes } = answer;
  const named = set.label === '' ? set.name : `${set.name} (${set.label})`;
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).length;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Markers:</span> {formatCount(markers.tested)} of{' '}
          {plural(markers.types, 'type')} of {named} · {plural(suggestions.length, 'group')} · suggested for{' '}
          {formatCount(suggested)}, {formatCount(suggestions.length - suggested)} Unclear
        </>
      }
    >
      <dt>Set of markers</dt>
      <dd>
        {[named, set.release, set.licence === '' ? '' : `licence: ${set.licence}`, `version ${set.version}`]
          .filter((part) => part !== '')
          .join('; ')}
      </dd>
      <dt>In the dataset</dt>
      <dd>
        {formatCount(markers.genes - markers.missing)} of {plural(markers.genes, 'marker')}
      </dd>
      <dt>Score</dt>
      <dd>
        ranking: decoupler’s univariate linear model (ulm) of the mean log-normalised values of a group, less
        the mean of the groups’ means, over {plural(genes, 'gene')} that any group expresses; t of the slope,
        p-values adjusted by Benjamini and Hochberg over the types
      </dd>
      <dt>Has to agree</dt>
      <dd>
        decoupler’s over-representation (ora) of the markers among the top 5 % of these genes, as log odds
        ratio
      </dd>
      <dt>Unclear</dt>
      <dd>
        adjusted p of ulm or of ora not below {parameters.pval}, fewer than {parameters.min_markers} markers
        expressed (by {Number((100 * parameters.min_share).toPrecision(6))} % of the cells, above the mean of
        the groups), or a score not {Number((100 * parameters.min_margin).toPrecision(6))} % of itself above
        the next
      </dd>
      <dt>Groups</dt>
      <dd>{suggestions.map(({ group, cells }) => `${group} (${formatCount(cells)})`).join(', ')}</dd>
    </ResultFacts>
  );
}
