import type { MapColumnList } from '@cellfolio/contract';
import { qualityColumns } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import {
  type ChosenBins,
  columnListQuery,
  type Grouping,
  quartiles,
  readBins,
  readChosenBins,
} from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { readFlag, readText, readTexts, useDraft } from '@/lib/use-draft.ts';
import type { Exploration } from '../use-exploration.ts';
import {
  barOrders,
  type BarOrder,
  type GroupFigureChoice,
  groupFigures,
  type MeasureChoice,
  measures,
  missingFor,
} from './group-figures.ts';
import { type ChosenList, readChosenLists } from './list-brackets.ts';

export function useGroupFigure({ draftKey, analysis, filename }: Exploration) {
  const { api } = useServices();
  const list = useQuery(columnListQuery(api, { filename, version: analysis.version }));
  const columns = list.data?.obs ?? [];
  const key = (field: string) => `${draftKey}:group-figure-${field}`;
  const [kind, setKind] = useDraft(key('kind'), 'violin', readText);
  const [measure, setMeasure] = useDraft<MeasureChoice>(key('measure'), 'genes', readMeasure);
  const [genes, setGenes] = useDraft<string[]>(key('genes'), [], readTexts);
  const [lists, setLists] = useDraft<ChosenList[]>(key('lists'), [], readChosenLists);
  const [number, setNumber] = useDraft(key('number'), '', readText);
  const [signatureGenes, setSignatureGenes] = useDraft<string[]>(key('signature-genes'), [], readTexts);
  const [signatureName, setSignatureName] = useDraft(key('signature-name'), '', readText);
  const [state, setState] = useDraft(key('state'), '', readText);
  const by = useGrouping(key('by'), columns);
  const [split, setSplit] = useDraft(key('split'), '', readText);
  const parts = useGrouping(key('parts'), columns);
  const [scaled, setScaled] = useDraft(key('scaled'), false, readFlag);
  const [tree, setTree] = useDraft(key('tree'), false, readFlag);
  const [counted, setCounted] = useDraft(key('counted'), false, readFlag);
  const [points, setPoints] = useDraft(key('points'), false, readFlag);
  const [samples, setSamples] = useDraft(key('samples'), '', readText);
  const [order, setOrder] = useDraft<BarOrder>(key('order'), 'column', readOrder);
  const [part, setPart] = useDraft(key('part'), '', readText);
  const quality = qualityColumns(columns.filter((one) => one.kind === 'levels').map(({ name }) => name));
  const choice: GroupFigureChoice = {
    measure,
    genes,
    lists,
    number,
    signature: { name: signatureName, genes: signatureGenes },
    state,
    by: by.grouping,
    split,
    parts: parts.grouping,
    scaled,
    tree,
    counted,
    points,
    samples,
    order,
    part,
    quality,
  };
  const figure = groupFigures.find((one) => one.kind === kind) ?? groupFigures[0]!;
  const has = (field: (typeof figure.fields)[number]) => figure.fields.includes(field);
  // Which columns have numbers decides what is drawn.
  const unread = has('quality') || by.column !== '' || parts.column !== '' ? unreadText(list) : undefined;
  const empty = emptyColumn(list.data, [
    ...(has('by') ? [by.column] : []),
    ...(has('parts') ? [parts.column] : []),
    ...(has('split') ? [split] : []),
    ...(has('samples') ? [samples] : []),
    ...(has('measure') && measure === 'number' ? [number] : []),
  ]);
  return {
    figure,
    setKind,
    choice,
    by,
    parts: {
      ...parts,
      // The part that sorts the bars is one of the column before.
      choose: (column: string) => {
        parts.choose(column);
        setPart('');
      },
    },
    set: {
      measure: setMeasure,
      genes: (next: string[]) => {
        setGenes(next);
        // A list that nothing is left of stands over no genes that are added later.
        setLists((before) => before.filter((list) => list.genes.some((gene) => next.includes(gene))));
      },
      addList: (name: string, ofList: readonly string[]) =>
        setLists((before) => [...before.filter((list) => list.name !== name), { name, genes: ofList }]),
      number: setNumber,
      signatureGenes: setSignatureGenes,
      signatureName: setSignatureName,
      state: setState,
      split: setSplit,
      scaled: setScaled,
      tree: setTree,
      counted: setCounted,
      points: setPoints,
      samples: setSamples,
      order: setOrder,
      part: setPart,
    },
    columns,
    sampleColumn: columns.find(({ name }) => name === list.data?.sample_column),
    missing:
      unread ??
      (empty && `No cell has a value in ${empty.title}: choose another column.`) ??
      missingFor(figure, choice) ??
      (has('by') ? by.problem : undefined) ??
      (has('parts') ? parts.problem : undefined),
  };
}

function unreadText({ isPending, isError }: { isPending: boolean; isError: boolean }): string | undefined {
  if (isPending) return 'The columns of the dataset are loading.';
  return isError ? 'The columns of the dataset could not be read. Reload the page to try again.' : undefined;
}

/** The first of the columns that has no value in any cell; a stored choice may be such a column. */
export function emptyColumn(
  list: MapColumnList | undefined,
  names: readonly string[],
): MapColumnList['obs'][number] | undefined {
  return list?.obs.find(({ name, missing }) => names.includes(name) && missing === list.cell_count);
}

interface ChosenGrouping {
  column: string;
  choose(column: string): void;
  isNumeric: boolean;
  bins: ChosenBins;
  setBins(bins: ChosenBins): void;
  /** Undefined when no column is chosen. */
  grouping: Grouping | undefined;
  problem: string | undefined;
}

function useGrouping(key: string, columns: readonly { name: string; kind: string }[]): ChosenGrouping {
  const [column, choose] = useDraft(key, '', readText);
  const [bins, setBins] = useDraft<ChosenBins>(`${key}-bins`, quartiles, readChosenBins);
  const isNumeric = columns.some(({ name, kind }) => name === column && kind === 'levels');
  const read = isNumeric ? readBins(bins) : {};
  const cut = 'bins' in read ? { bins: read.bins } : {};
  return {
    column,
    choose,
    isNumeric,
    bins,
    setBins,
    grouping: column === '' ? undefined : { column, ...cut },
    problem: 'problem' in read ? read.problem : undefined,
  };
}

function readMeasure(stored: unknown): MeasureChoice | undefined {
  return measures.find(({ of }) => of === stored)?.of;
}

function readOrder(stored: unknown): BarOrder | undefined {
  return barOrders.find(({ order }) => order === stored)?.order;
}
