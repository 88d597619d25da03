import type { CellTypeAnswer, CellTypeParameters, GroupSuggestion, UnclearReason } from '@cellfolio/contract';
import { DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { SuggestedLabels, GroupRow, type SuggestionRowProps } from './suggestion-table.tsx';
import { formatCount, plural } from '@/lib/format.ts';
import { MarkerEvidence, pText, scoreText } from './marker-evidence.tsx';

export function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<CellTypeAnswer>) {
  const { suggestions, parameters, source } = answer;
  return (
    <div className="flex flex-col gap-3">
      <SuggestedLabels
        {...{ suggestions, parameters, dataset, onGenes }}
        title={answer.group_title}
        headings={['Score', 'Adjusted p', 'Markers expressed']}
        subset={source?.subset}
        Row={SuggestionRow}
      />
      {source !== null && (
        <DrawnFigure source={source} alt="Heatmap of the Cell Type Annotation" word="heatmap" />
      )}
    </div>
  );
}

type RowProps = SuggestionRowProps<GroupSuggestion, CellTypeParameters>;

export function SuggestionRow({ suggestion, parameters, name, labels, onGenes }: RowProps) {
  const { group, best, runner_up: next, conflict, margin, cells, reasons } = suggestion;
  return (
    <GroupRow
      group={group}
      name={name}
      cells={cells}
      suggestion={suggestion.suggestion}
      best={best?.type}
      reasons={reasons.map((reason) => reasonText(reason, parameters))}
      conflict={conflict?.type}
      numbers={best ? [scoreText(best.score), pText(best.adjusted_p)] : ['', '']}
      opener={
        best === null
          ? undefined
          : {
              text: `${best.expressed} of ${best.markers.length}`,
              label: (called) =>
                `Markers of ${called}: ${best.expressed} of ${best.markers.length} of ${best.type} expressed`,
            }
      }
      next={next && `${next.type} (${scoreText(next.score)}, ${Math.round(100 * margin)} % below)`}
      labels={labels}
    >
      {best && <MarkerEvidence title="Best" evidence={best} parameters={parameters} onGenes={onGenes} />}
      {next && <MarkerEvidence title="Next" evidence={next} parameters={parameters} onGenes={onGenes} />}
      {conflict && (
        <MarkerEvidence
          title={`Also looks like: ${plural(conflict.both_cells, 'cell')} with two markers of both, ${formatCount(conflict.these_cells)} of this one`}
          evidence={conflict}
          parameters={parameters}
          onGenes={onGenes}
        />
      )}
    </GroupRow>
  );
}

function reasonText(reason: UnclearReason, { pval, min_markers, min_margin }: CellTypeParameters): string {
  if (reason === 'not-significant') return `adjusted p not below ${pval}`;
  if (reason === 'not-over-represented') return `too few markers among the top 5 % of genes (ora)`;
  if (reason === 'few-markers') return `fewer than ${min_markers} markers expressed`;
  return `next type less than ${Number((100 * min_margin).toPrecision(6))} % below`;
}
