import type { FigureContent } from '@cellfolio/contract';
import { describeFigure } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { CheckOption } from '@/components/check-list.tsx';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { BinsField, noColours, noSplit, valuesQuery } from '@/features/map/index.ts';
import { formatCount } from '@/lib/format.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { useServices } from '@/lib/services.ts';
import type { Exploration } from '../use-exploration.ts';
import { ColumnField, noCategories } from './column-field.tsx';
import {
  conditionColumn,
  groupFigures,
  hasGenes,
  qualityHint,
  barOrders,
  type BarOrder,
} from './group-figures.ts';
import { MeasureField } from './measure-field.tsx';
import type { DrawnContents } from './plot-calls.ts';
import { generatedText } from './run-outcome.tsx';
import { useGroupFigure } from './use-group-figure.ts';

const kinds = groupFigures.map(({ kind, label }) => ({ value: kind as string, label }));

export function GroupFigurePanel({ exploration }: { exploration: Exploration }) {
  const { index, onReload } = exploration;
  const chosen = useGroupFigure(exploration);
  const { figure, setKind, choice, set, columns, missing } = chosen;
  const { run, draw } = useGroupFigureRun(exploration, missing === undefined ? figure.contents(choice) : []);
  const drawFigure = () => {
    if (missing === undefined) draw();
  };
  return (
    <div className="flex flex-col gap-3">
      <ChoiceLine label="Figure" options={kinds} chosen={figure.kind} onChoose={setKind} />
      {figure.fields.includes('measure') && (
        <MeasureField index={index} columns={columns} choice={choice} set={set} onConfirm={drawFigure} />
      )}
      {hasGenes(figure, choice) && (
        <GenesField exploration={exploration} chosen={chosen} onConfirm={drawFigure} />
      )}
      <GroupFields exploration={exploration} chosen={chosen} />
      <LookFields exploration={exploration} chosen={chosen} />
      <PlotRunControls
        run={{ ...run, disabled: run.disabled || missing !== undefined }}
        label="Draw Figure"
        working="Drawing..."
        keptNote="Your choices and images are kept."
        onRun={drawFigure}
        onReload={onReload}
      >
        {missing !== undefined && <p className="text-muted text-xs">{missing}</p>}
      </PlotRunControls>
    </div>
  );
}

const maxShown = 60;

interface FieldsProps {
  exploration: Exploration;
  chosen: ReturnType<typeof useGroupFigure>;
}

function GenesField({ exploration, chosen, onConfirm }: FieldsProps & { onConfirm: () => void }) {
  const { choice, set } = chosen;
  const shared = exploration.genes.chosen;
  return (
    <div className="flex flex-col gap-1.5">
      <GenePicker
        index={exploration.index}
        label="Genes of the figure"
        chosenLabel="Genes of the figure"
        genes={choice.genes}
        max={chosen.figure.genes?.[1]}
        onChange={set.genes}
        onChooseList={set.addList}
        onConfirm={onConfirm}
        showEmpty={false}
      />
      {choice.genes.length === 0 && shared.length > 0 && (
        <Suggestion onClick={() => set.genes([...shared])}>
          {shared.length === 1 ? `Use ${shared[0]!}` : `Use the ${shared.length} genes of Gene Visualization`}
        </Suggestion>
      )}
    </div>
  );
}

function GroupFields({ exploration, chosen }: FieldsProps) {
  const { figure, choice, set, by, parts, columns, sampleColumn } = chosen;
  const has = (field: (typeof figure.fields)[number]) => figure.fields.includes(field);
  const own = { 'cell type': 'Cell types', cluster: 'Clusters', none: 'All cells' }[exploration.groupedBy];
  const isComposition = figure.kind === 'composition-bar';
  const categories = columns.find(({ name }) => name === by.column)?.categories ?? 0;
  const wide = categories > maxShown ? categories : undefined;
  const condition = choice.split === '' ? conditionColumn(columns) : undefined;
  const { cell_types: types, leiden_clusters: clusters } = exploration.analysis.columns;
  const defaultName = { 'cell type': types, cluster: clusters, none: '' }[exploration.groupedBy];
  const groups = { filename: exploration.filename, version: exploration.analysis.version };
  const groupsWithDefault = { ...groups, defaultColumn: columns.find(({ name }) => name === defaultName) };
  const noGroup = isComposition ? 'Choose a column' : has('quality') ? 'All cells' : own;
  return (
    <>
      {has('by') && (
        <ColumnField
          label="Group by"
          none={noGroup}
          columns={columns}
          problemOf={noColours}
          chosen={by.column}
          onChoose={by.choose}
          groups={isComposition || has('quality') ? groups : groupsWithDefault}
        />
      )}
      {has('by') && wide !== undefined && (
        <p className="text-muted text-xs">
          {`${formatCount(wide)} categories: the figure shows only the ${maxShown} largest and says so.`}
        </p>
      )}
      {has('by') && (isComposition || has('quality')) && by.column === '' && sampleColumn !== undefined && (
        <Suggestion
          onClick={() => by.choose(sampleColumn.name)}
        >{`By sample: ${sampleColumn.title}`}</Suggestion>
      )}
      {has('by') && by.isNumeric && (
        <BinsField of="Group by" bins={by.bins} onChange={by.setBins} problem={by.problem} />
      )}
      {has('parts') && (
        <ColumnField
          label="Parts"
          none={own}
          columns={columns}
          problemOf={noColours}
          chosen={parts.column}
          onChoose={parts.choose}
          groups={groupsWithDefault}
        />
      )}
      {has('parts') && parts.isNumeric && (
        <BinsField of="Parts" bins={parts.bins} onChange={parts.setBins} problem={parts.problem} />
      )}
      {has('split') && (
        <ColumnField
          label="Split by"
          none="Not split"
          columns={columns}
          problemOf={noSplit}
          chosen={choice.split}
          onChoose={set.split}
          groups={groups}
        />
      )}
      {has('split') && condition !== undefined && condition.name !== by.column && (
        <Suggestion onClick={() => set.split(condition.name)}>{`Split by ${condition.title}`}</Suggestion>
      )}
    </>
  );
}

function LookFields({ exploration, chosen }: FieldsProps) {
  const { figure, choice, set, parts, columns, sampleColumn } = chosen;
  const has = (field: (typeof figure.fields)[number]) => figure.fields.includes(field);
  return (
    <>
      {has('order') && (
        <BarOrderField
          exploration={exploration}
          parts={parts.column}
          isNumeric={parts.isNumeric}
          order={choice.order}
          onOrder={set.order}
          part={choice.part}
          onPart={set.part}
        />
      )}
      {has('samples') && (
        <ColumnField
          label="Sample means"
          none="Not drawn"
          columns={columns}
          problemOf={noCategories}
          chosen={choice.samples}
          onChoose={set.samples}
        />
      )}
      {has('samples') && choice.samples === '' && sampleColumn !== undefined && (
        <Suggestion onClick={() => set.samples(sampleColumn.name)}>
          {`A dot for each sample: ${sampleColumn.title}`}
        </Suggestion>
      )}
      {has('points') && (
        <CheckOption checked={choice.points} onChange={set.points}>
          Cells as points, at most 2,000 at random
        </CheckOption>
      )}
      {has('scaled') && (
        <CheckOption checked={choice.scaled} onChange={set.scaled}>
          Scale each gene from 0 to 1
        </CheckOption>
      )}
      {has('tree') && (
        <CheckOption checked={choice.tree} onChange={set.tree}>
          Order groups by a dendrogram
        </CheckOption>
      )}
      {has('counted') && (
        <CheckOption checked={choice.counted} onChange={set.counted}>
          Numbers of cells instead of shares
        </CheckOption>
      )}
      {has('quality') && choice.quality.length > 0 && (
        <p className="text-muted text-xs wrap-anywhere">{qualityHint(choice.quality, columns)}</p>
      )}
    </>
  );
}

function Suggestion({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="link" size="inline" className="-mt-1 self-start text-xs" onClick={onClick}>
      {children}
    </Button>
  );
}

function useGroupFigureRun(
  { activeSubset, calls, images, groupedBy }: Exploration,
  contents: readonly FigureContent[],
) {
  const run = usePlotRun<DrawnContents['request'], DrawnContents['answer'], null>({
    call: calls.contents,
    complete: contents.length > 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to draw the figure. Please try again.',
    refused: 'The Figure Was Not Drawn',
  });
  const titleOf = (content: FigureContent) =>
    describeFigure(content, groupedBy, images.content.sourceOf(content).annotations).title;
  const draw = async () => {
    if (run.disabled) return;
    const exists = await images.content.existing(contents);
    const done = contents.filter(exists);
    const fresh = contents.filter((content) => !exists(content));
    const onExisting = () => images.content.onExisting(done);
    if (!run.guard({ done: done.map(titleOf), fresh: fresh.map(titleOf), onExisting })) return;
    run.draw({ sources: fresh.map(images.content.sourceOf) }, (figures) => {
      const count = images.content.onGenerated(figures, done);
      toast.success('Figure Drawn', { description: generatedText(count, fresh.map(titleOf)) });
    });
  };
  return { run, draw: () => void draw() };
}

const options = barOrders.map(({ order, label }) => ({ value: order, label }));
/** A longer list of this kind is not searchable. */
const maxOptions = 500;

interface BarOrderFieldProps {
  exploration: Pick<Exploration, 'analysis' | 'filename'>;
  parts: string;
  isNumeric: boolean;
  order: BarOrder;
  onOrder: (order: BarOrder) => void;
  part: string;
  onPart: (part: string) => void;
}

function BarOrderField({
  exploration: { analysis, filename },
  parts,
  isNumeric,
  order,
  onOrder,
  part,
  onPart,
}: BarOrderFieldProps) {
  const { api } = useServices();
  const isPartOrder = order === 'part' && parts !== '' && !isNumeric;
  const source = isPartOrder ? ({ from: 'obs', name: parts } as const) : undefined;
  const column = useQuery(valuesQuery(api, { filename, version: analysis.version }, source, undefined));
  const called = useCategoryNames(filename).ofColumn;
  const { cell_types: typeColumn, leiden_clusters: clusterColumn } = analysis.columns;
  const shown = parts === '' ? (analysis.cell_types.length > 0 ? typeColumn : clusterColumn) : parts;
  const own = analysis.cell_types.length > 0 ? analysis.cell_types : analysis.leiden_clusters;
  const names =
    parts === '' ? own : isPartOrder && column.data?.kind === 'categories' ? column.data.categories : [];
  return (
    <>
      <ChoiceLine label="Sort bars by" options={options} chosen={order} onChoose={onOrder} />
      {order === 'part' && (
        <ChoiceLine
          label="Part"
          options={names
            .slice(0, maxOptions)
            .flatMap((name) => (name === '' ? [] : { value: name, label: called(shown, name) }))}
          chosen={part}
          placeholder={isPartOrder && column.isPending ? 'Loading...' : 'Choose a part'}
          onChoose={onPart}
        />
      )}
      {order === 'part' && isNumeric && (
        <p className="text-muted text-xs">
          Numeric parts have no names to choose from: sort by the share of the largest part.
        </p>
      )}
      {order === 'part' && column.isError && (
        <p role="alert" className="text-danger text-xs">
          The parts could not be loaded. Choose another order, or try again later.
        </p>
      )}
    </>
  );
}
