import {
  type CellTypeAnswer,
  type CellTypeRequest,
  cellTypeAnswer,
  cellTypeRequest,
  type DatasetAnalysis,
  type CellTypeParameters,
  type GroupSuggestion,
  type UnclearReason,
  type TypeEvidence,
  minPValue,
} from '@cellfolio/contract';
import { Tags, Eye } from 'lucide-react';
import {
  type AnalysisRuns,
  defineAnalysis,
  type NothingFound,
  figureOf,
  ResultFacts,
  ListField,
  listSources,
  useOfferedLists,
  NumberFields,
  DrawnFigure,
  type FigurePanelProps,
} from '@/features/analyses/index.ts';
import { groupByTitle, GroupsField } from '@/features/markers/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { Button } from '@/components/ui/button.tsx';
import {
  cellTypeDefaults,
  type CellTypeForm,
  cellTypeRequestOf,
  isComplete,
  markersNote,
  cellTypeNumbers,
} from './cell-type-form.ts';
import { markerDotPlot } from './marker-dot-plot.ts';
import { SuggestedLabels, GroupRow, type SuggestionRowProps } from './suggestion-table.tsx';

function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<CellTypeAnswer>) {
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

function reasonText(reason: UnclearReason, { pval, min_markers, min_margin }: CellTypeParameters): string {
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
  parameters: CellTypeParameters;
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

interface CellTypeFieldsProps {
  analysis: DatasetAnalysis;
  form: CellTypeForm;
  onChange: (change: Partial<CellTypeForm>) => void;
}

function CellTypeFields({ analysis, form, onChange }: CellTypeFieldsProps) {
  return (
    <>
      <GroupsField analysis={analysis} form={form} onChange={onChange} />
      <MarkersField analysis={analysis} form={form} onChange={onChange} />
      <NumberFields numbers={cellTypeNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Each group is compared with the average of all groups. It is Unclear if the best type does not pass
        both tests (linear model and over-representation among the top genes), if too few of its markers are
        expressed, or if the next type is nearly as good. No cell is labelled until you apply the labels.
      </p>
    </>
  );
}

function MarkersField({ analysis, form, onChange }: CellTypeFieldsProps) {
  const list = useOfferedLists(listSources.markers, analysis).data?.find(({ name }) => name === form.markers);
  return (
    <ListField
      dataset={analysis}
      source={listSources.markers}
      label="Markers"
      note={list && markersNote(list, form)}
      value={form.markers}
      onChange={(markers) => onChange({ markers })}
      own={form.ownMarkers}
      onOwn={(ownMarkers) => onChange({ ownMarkers })}
    />
  );
}

function CellTypeFacts({ answer }: { answer: CellTypeAnswer }) {
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

export const cellTypeAnalysis = defineAnalysis<CellTypeForm, CellTypeRequest, CellTypeAnswer>({
  id: 'cell-types',
  title: 'Cell Type Annotation',
  name: 'cell type annotation',
  noticeName: 'Cell type annotation',
  running: 'Suggesting Cell Types',
  icon: Tags,
  path: '/api/suggest-cell-types',
  request: cellTypeRequest,
  answer: cellTypeAnswer,
  csvField: 'types_csv',
  form: {
    defaults: cellTypeDefaults,
    groupByOf: ({ leiden_clusters: clusters }) => (clusters.length > 1 ? 'leiden' : undefined),
    requestOf: cellTypeRequestOf,
    isComplete,
    lists: listSources.markers,
    Fields: CellTypeFields,
  },
  runningText: startedText,
  startedText,
  requestLine: (request, cells) => `${markersText(request)} in ${groupsText(request)}, ${cells}`,
  columns: new Map([
    ['group', { label: 'Group', kind: 'text' }],
    ['rank', { label: 'Rank', kind: 'count' }],
    ['cell_type', { label: 'Cell type', kind: 'text' }],
    ['suggestion', { label: 'Suggestion', kind: 'text' }],
    ['ulm_score', { label: 'Score (ulm)', kind: 'number' }],
    ['ulm_pval', { label: 'P-value', kind: 'p-value' }],
    ['ulm_padj', { label: 'Adjusted p-value', kind: 'p-value' }],
    ['ora_score', { label: 'Log odds ratio (ora)', kind: 'number' }],
    ['ora_pval', { label: 'P-value (ora)', kind: 'p-value' }],
    ['ora_padj', { label: 'Adjusted p-value (ora)', kind: 'p-value' }],
    ['markers', { label: 'Markers', kind: 'count' }],
    ['expressed', { label: 'Expressed', kind: 'count' }],
    ['genes', { label: 'Genes', kind: 'genes' }],
    ['lineage', { label: 'Lineage', kind: 'text' }],
    ['reference', { label: 'Reference', kind: 'text' }],
  ]),
  files: { table: 'cell_type_annotation', figure: 'cell_type_heatmap' },
  figure: 'Heatmap',
  panelTitle: 'Suggestions',
  opensWithPanel: true,
  Figure: SuggestionsPanel,
  furtherFigures: [{ figure: 'Dot Plot', file: 'cell_type_markers_dotplot', sourceOf: markerDotPlot }],
  searchPlaceholder: 'Search types and groups',
  rowNoun: (ofGroup) => (ofGroup ? 'type' : 'row'),
  allRows: (rowCount) => `all groups (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) =>
      `By ${answer.group_title}, ${cells}: a type is suggested for ${suggestedWords(answer.suggestions)}`,
    figure: figureOf(answer, 'heatmap'),
    nothing: allUnclear(
      answer.suggestions,
      'The table has the scores of all types. Try other markers, or groups of the whole tissue.',
    ),
    cautions: answer.warnings.map(({ message }) => message),
    groups: answer.suggestions.map(({ group }) => ({
      name: group,
      markers: answer.markers.tested,
      few_cells: false,
    })),
    groupedBy: answer.parameters.groupby,
  }),
  Facts: CellTypeFacts,
});

export function suggestCellTypes(
  runs: Pick<AnalysisRuns, 'prepare' | 'forms'>,
  { leiden_clusters: clusters }: Pick<DatasetAnalysis, 'leiden_clusters'>,
): void {
  // name-dictionary: by the id of a module of ours
  const isChosen = (runs.forms[cellTypeAnalysis.id]?.['groupBy'] ?? '') !== '';
  runs.prepare(cellTypeAnalysis, isChosen || clusters.length < 2 ? {} : { groupBy: 'leiden' });
}

function markersText({ markers, own_markers }: CellTypeRequest): string {
  return own_markers === undefined ? `Markers ${markers ?? 'abridged'}` : 'Markers of your own list';
}

function groupsText({ groupby, groups }: CellTypeRequest): string {
  const some = groups === undefined ? 'the groups' : `${formatCount(groups.length)} groups`;
  return `${some} of ${groupByTitle(groupby)}`;
}

function startedText(request: CellTypeRequest): string {
  return `Looking for ${markersText(request).replace('Markers', 'markers')} in ${groupsText(request)}`;
}

/** Groups with their suggestions; null for Unclear. */
type Suggestions = readonly { suggestion: string | null }[];

/** Number of groups with a suggested type: `8 of 12 groups`. */
export function suggestedWords(suggestions: Suggestions): string {
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).length;
  return `${formatCount(suggested)} of ${plural(suggestions.length, 'group')}`;
}

/** `advice` says what the table contains, and what to do instead. */
export function allUnclear(suggestions: Suggestions, advice: string): NothingFound | null {
  if (suggestions.some(({ suggestion }) => suggestion !== null)) return null;
  return { title: 'All Groups Are Unclear', text: `No type is suggested for any group. ${advice}` };
}
