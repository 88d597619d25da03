import type { cellTypes, CellTypesRequest, GroupSuggestion, TypeEvidence } from '@cellfolio/analyses';
import { type AnalysisAnswer, minPValue } from '@cellfolio/contract';
import { Eye } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import {
  type AnalysisView,
  defineView,
  DrawnFigure,
  type FigurePanelProps,
} from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { markerDotPlot } from './marker-dot-plot.ts';
import { GroupRow, SuggestedLabels, type SuggestionRowProps } from './suggestion-table.tsx';

type Answer = AnalysisAnswer<typeof cellTypes>;
type Reason = GroupSuggestion['reasons'][number];

export const cellTypesView: AnalysisView = defineView<Answer>({
  panelTitle: 'Suggestions',
  opensWithPanel: true,
  Figure: SuggestionsPanel,
  furtherFigures: [{ figure: 'Dot Plot', file: 'cell_type_markers_dotplot', sourceOf: markerDotPlot }],
  searchPlaceholder: 'Search types and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'type' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: ({ suggestions, markers, parameters }) => ({
    groups: suggestions.map(({ group }) => ({ name: group, markers: markers.tested, few_cells: false })),
    groupedBy: parameters.groupby,
  }),
});

function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<Answer>) {
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

type RowProps = SuggestionRowProps<GroupSuggestion, CellTypesRequest>;

function SuggestionRow({ suggestion, parameters, name, labels, onGenes }: RowProps) {
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

function reasonText(reason: Reason, { pval, min_markers, min_margin }: CellTypesRequest): string {
  if (reason === 'not-significant') return `adjusted p not below ${pval}`;
  if (reason === 'not-over-represented') return `too few markers among the top 5 % of genes (ora)`;
  if (reason === 'few-markers') return `fewer than ${min_markers} markers expressed`;
  return `next type less than ${Number((100 * min_margin).toPrecision(6))} % below`;
}

function scoreText(score: number): string {
  return score.toFixed(1).replace('-', '−');
}

function pText(p: number): string {
  if (p < minPValue) return `< ${minPValue.toExponential(1).replace('-', '−')}`;
  return p < 0.001 ? p.toExponential(1).replace('-', '−') : p.toFixed(3);
}

interface MarkerEvidenceProps {
  title: string;
  evidence: TypeEvidence;
  parameters: CellTypesRequest;
  onGenes: (genes: readonly string[]) => void;
}

function MarkerEvidence({ title, evidence, parameters, onGenes }: MarkerEvidenceProps) {
  const {
    type,
    reference,
    reference_checked: checked,
    markers,
    missing,
    ora_score: ora,
    ora_adjusted_p: oraP,
  } = evidence;
  const isExpressed = ({ share, above }: TypeEvidence['markers'][number]) =>
    share >= parameters.min_share && above > 0;
  const expressed = markers.filter(isExpressed).map(({ gene }) => gene);
  return (
    <section aria-label={`${title}: ${type}`} className="flex max-w-md flex-col gap-1">
      <p className="text-xs">
        <span className="text-muted">{title}:</span> <span className="font-medium">{type}</span>{' '}
        <span className="text-muted">
          (ora {scoreText(ora)}, adjusted p {pText(oraP)})
        </span>
      </p>
      <table className="text-xs tabular-nums">
        <thead className="text-muted text-left">
          <tr>
            <th className="pr-4 font-normal">Marker</th>
            <th className="pr-4 text-right font-normal">Expressing</th>
            <th className="pr-4 text-right font-normal">Mean</th>
            <th className="pr-4 text-right font-normal">Above others</th>
            <th className="text-right font-normal">Other groups</th>
          </tr>
        </thead>
        <tbody>
          {markers.map((marker) => (
            <tr key={marker.gene} className={isExpressed(marker) ? '' : 'text-muted'}>
              <td className="pr-4">{marker.gene}</td>
              <td className="pr-4 text-right">{Math.round(100 * marker.share)}%</td>
              <td className="pr-4 text-right">{marker.mean.toFixed(2)}</td>
              <td className="pr-4 text-right">{marker.above.toFixed(2).replace('-', '−')}</td>
              <td className="text-right">{marker.other_groups}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {missing.length > 0 && (
        <p className="text-muted text-xs wrap-anywhere">Not in the dataset: {missing.join(', ')}.</p>
      )}
      {reference !== '' && (
        <p className="text-muted text-xs">
          Reference: {reference}
          {checked === false && ' (unverified)'}.
        </p>
      )}
      {expressed.length > 0 && (
        <Button variant="secondary" size="xs" className="self-start" onClick={() => onGenes(expressed)}>
          <Eye aria-hidden />
          {`Visualize ${plural(expressed.length, 'expressed marker')}`}
        </Button>
      )}
    </section>
  );
}
