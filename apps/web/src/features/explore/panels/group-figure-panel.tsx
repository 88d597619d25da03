import type { FigureContent, MapColumnList } from '@cellfolio/contract';
import { describeFigure } from '@cellfolio/plots/content';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { CheckOption } from '@/components/check-list.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { PlotRunControls, usePlotRun } from '@/components/plot-run.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { ColumnPicker, columnListQuery, noColours, noSplit } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import type { Exploration } from '../use-exploration.ts';
import { type GroupFigureChoice, groupFigures, missingFor } from './group-figures.ts';
import { type ChosenList, readChosenLists } from './list-brackets.ts';
import type { DrawnContents } from './plot-calls.ts';
import { generatedText } from './run-outcome.tsx';

type ObsColumn = MapColumnList['obs'][number];

/** Figures by Group: genes, numbers and shares of cells by any column of obs. */
export function GroupFigurePanel({ exploration }: { exploration: Exploration }) {
  const { index, onReload, groupedBy } = exploration;
  const id = useId();
  const { figure, setKind, choice, set, columns } = useGroupFigure(exploration);
  const { run, draw } = useGroupFigureRun(exploration, figure.contents(choice));
  const missing = missingFor(figure, choice);
  const has = (field: (typeof figure.fields)[number]) => figure.fields.includes(field);
  const own = { 'cell type': 'Cell types', cluster: 'Clusters', none: 'All cells' }[groupedBy];
  const shared = exploration.genes.chosen;
  const drawFigure = () => {
    if (missing === undefined) draw();
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-figure`} className="text-[13px]">
          Figure
        </Label>
        <Select value={figure.kind} onValueChange={setKind}>
          <SelectTrigger id={`${id}-figure`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {groupFigures.map(({ kind, label }) => (
              <SelectItem key={kind} value={kind}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </div>
      {has('number') && (
        <ColumnField
          label="Measure"
          none="Genes"
          columns={columns}
          problemOf={noNumbers}
          chosen={choice.number}
          onChoose={set.number}
        />
      )}
      {figure.genes !== undefined && (choice.number === '' || !has('number')) && (
        <div className="flex flex-col gap-1.5">
          <GenePicker
            index={index}
            label="Genes of the figure"
            chosenLabel="Genes of the figure"
            genes={choice.genes}
            most={figure.genes[1]}
            onChange={set.genes}
            onChooseList={set.addList}
            onConfirm={drawFigure}
            showEmpty={false}
          />
          {choice.genes.length === 0 && shared.length > 0 && (
            <Button
              variant="link"
              size="inline"
              className="self-start text-xs"
              onClick={() => set.genes([...shared])}
            >
              {shared.length === 1
                ? `Use ${shared[0]!}`
                : `Use the ${shared.length} genes of Gene Visualization`}
            </Button>
          )}
        </div>
      )}
      {has('by') && (
        <ColumnField
          label="Group by"
          none={figure.kind === 'composition-bar' ? 'Choose a column' : own}
          columns={columns}
          problemOf={noColours}
          chosen={choice.by}
          onChoose={set.by}
        />
      )}
      {has('parts') && (
        <ColumnField
          label="Made of"
          none={own}
          columns={columns}
          problemOf={noColours}
          chosen={choice.parts}
          onChoose={set.parts}
        />
      )}
      {has('split') && (
        <ColumnField
          label="Split by"
          none="Not split"
          columns={columns}
          problemOf={noSplit}
          chosen={choice.split}
          onChoose={set.split}
        />
      )}
      {has('scaled') && (
        <CheckOption checked={choice.scaled} onChange={set.scaled}>
          Scale each gene from 0 to 1
        </CheckOption>
      )}
      {has('counted') && (
        <CheckOption checked={choice.counted} onChange={set.counted}>
          Numbers of cells instead of shares
        </CheckOption>
      )}
      <PlotRunControls
        run={{ ...run, disabled: run.disabled || missing !== undefined }}
        label="Draw Figure"
        working="Drawing..."
        kept="Your choices and images are kept."
        onRun={drawFigure}
        onReload={onReload}
      >
        {missing !== undefined && <p className="text-muted text-xs">{missing}</p>}
      </PlotRunControls>
    </div>
  );
}

/** What is chosen in the panel, kept with the page. */
function useGroupFigure({ draftKey, analysis, filename }: Exploration) {
  const { api } = useServices();
  const list = useQuery(columnListQuery(api, { filename, version: analysis.version }));
  const columns = list.data?.obs ?? [];
  const key = (field: string) => `${draftKey}:group-figure-${field}`;
  const [kind, setKind] = useDraft(key('kind'), 'violin', readText);
  const [genes, setGenes] = useDraft<string[]>(key('genes'), [], readTexts);
  const [lists, setLists] = useDraft<ChosenList[]>(key('lists'), [], readChosenLists);
  const [number, setNumber] = useDraft(key('number'), '', readText);
  const [by, setBy] = useDraft(key('by'), '', readText);
  const [split, setSplit] = useDraft(key('split'), '', readText);
  const [parts, setParts] = useDraft(key('parts'), '', readText);
  const [scaled, setScaled] = useDraft(key('scaled'), false, readFlag);
  const [counted, setCounted] = useDraft(key('counted'), false, readFlag);
  const choice: GroupFigureChoice = { genes, lists, number, by, split, parts, scaled, counted };
  return {
    figure: groupFigures.find((one) => one.kind === kind) ?? groupFigures[0]!,
    setKind,
    choice,
    set: {
      genes: (next: string[]) => {
        setGenes(next);
        // A list that nothing is left of stands over no genes that are added later.
        setLists((before) => before.filter((list) => list.genes.some((gene) => next.includes(gene))));
      },
      addList: (name: string, ofList: readonly string[]) =>
        setLists((before) => [...before.filter((list) => list.name !== name), { name, genes: ofList }]),
      number: setNumber,
      by: setBy,
      split: setSplit,
      parts: setParts,
      scaled: setScaled,
      counted: setCounted,
    },
    columns,
  };
}

/** Draws what the library does not have yet of these contents. */
function useGroupFigureRun(
  { activeSubset, calls, images, groupedBy }: Exploration,
  contents: readonly FigureContent[],
) {
  const run = usePlotRun<DrawnContents['request'], DrawnContents['answer'], null>({
    call: calls.contents,
    complete: contents.length > 0,
    busy: activeSubset.isApplying,
    failed: 'Failed to draw the figure. Please try again.',
  });
  const titleOf = (content: FigureContent) => describeFigure(content, groupedBy).title;
  const draw = () => {
    if (run.disabled) return;
    const done = contents.filter((content) => images.content.exists(content));
    const fresh = contents.filter((content) => !images.content.exists(content));
    const onExisting = () => images.content.onExisting(done);
    if (!run.guard({ done: done.map(titleOf), fresh: fresh.map(titleOf), onExisting })) return;
    run.draw({ sources: fresh.map(images.content.sourceOf) }, (drawn) => {
      const count = images.content.onGenerated(drawn);
      toast.success('Figure Drawn', { description: generatedText(count, fresh.map(titleOf)) });
    });
  };
  return { run, draw };
}

interface ColumnFieldProps {
  label: string;
  none: string;
  columns: readonly ObsColumn[];
  problemOf: (column: ObsColumn) => string | undefined;
  /** Name of a column; empty for none. */
  chosen: string;
  onChoose: (column: string) => void;
}

function ColumnField({ label, none, columns, problemOf, chosen, onChoose }: ColumnFieldProps) {
  const title = columns.find(({ name }) => name === chosen)?.title ?? (chosen === '' ? none : chosen);
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="shrink-0 text-[13px] font-medium">{label}</span>
      <ColumnPicker
        label={label}
        columns={columns}
        problemOf={problemOf}
        chosen={chosen === '' ? undefined : chosen}
        none={none}
        onChoose={(column) => onChoose(column ?? '')}
      >
        <Button
          variant="secondary"
          size="sm"
          aria-label={`${label}: ${title}`}
          className="w-48 min-w-0 justify-between gap-1 font-normal"
        >
          <MiddleTruncated text={title} />
          <ChevronDown aria-hidden className="text-muted size-3.5!" />
        </Button>
      </ColumnPicker>
    </div>
  );
}

function noNumbers({ kind }: ObsColumn): string | undefined {
  if (kind === 'levels') return undefined;
  return kind === 'categories' ? 'categories' : 'a text for each cell';
}
