import type { CategoryColumn } from '@cellfolio/columns';
import type { MapColumnList } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { NamePopover } from '@/components/name-popover.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { formatCount, percent, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import type { CellSelection } from './cell-bits.ts';
import { countsByCode } from './cell-bits.ts';
import type { MapDataset } from './map-columns.ts';
import { groupsColumn, valuesQuery } from './map-columns.ts';
import type { MapStore } from './map-store.ts';
import { useMapState } from './map-store.ts';

export interface SelectionActions {
  /** Saves the cells under a name; resolves when they are saved or an error has been shown. */
  save: (name: string, selection: CellSelection) => Promise<void>;
  /** Shows these cells alone on all maps, and makes them the active ones. */
  keep: (selection: CellSelection) => Promise<void>;
  /** Makes all cells active again, and shows them. */
  showOthers: () => Promise<void>;
  /** Prepares a comparison with the rest of the cells that were active at the time of selection. */
  compare: (selection: CellSelection) => Promise<void>;
  /** Renders the control that labels them. */
  label: (selection: CellSelection) => ReactNode;
}

interface SelectionBarProps {
  dataset: MapDataset;
  list: MapColumnList;
  store: MapStore;
  actions: SelectionActions;
}

export function SelectionBar({ dataset, list, store, actions }: SelectionBarProps) {
  const selection = useMapState(store, (state) => state.selection);
  const [keeping, setKeeping] = useState(false);
  if (selection === null) return <KeptBar list={list} store={store} onShowOthers={actions.showOthers} />;
  const share = (100 * selection.count) / Math.max(1, list.cell_count);
  const keep = async () => {
    setKeeping(true);
    await actions.keep(selection).finally(() => setKeeping(false));
  };
  return (
    <section
      aria-label="Selection"
      className="animate-appear flex min-w-0 grow basis-[34rem] items-center justify-end gap-2"
    >
      <p role="status" className="shrink-0 text-[13px] font-medium tabular-nums">
        {plural(selection.count, 'cell')}{' '}
        <span className="text-muted hidden font-normal min-[110rem]:inline">
          ({share < 0.1 ? '< 0.1' : share.toFixed(1)} %)
        </span>
      </p>
      <Composition dataset={dataset} list={list} selection={selection} />
      <div className="flex max-w-[calc(100%-8rem)] shrink-0 flex-wrap items-center justify-end gap-1">
        <SaveSubset selection={selection} save={actions.save} />
        {actions.label(selection)}
        <Button variant="secondary" size="xs" disabled={keeping} onClick={() => void keep()}>
          Keep only these
        </Button>
        <Button variant="secondary" size="xs" onClick={() => void actions.compare(selection)}>
          Compare with the rest
        </Button>
      </div>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Clear the selection"
        onClick={() => store.select(null)}
      >
        <X aria-hidden />
      </Button>
    </section>
  );
}

interface KeptBarProps extends Pick<SelectionBarProps, 'list' | 'store'> {
  onShowOthers: () => Promise<void>;
}

function KeptBar({ list, store, onShowOthers }: KeptBarProps) {
  const keptCells = useMapState(store, (state) => state.keptCells);
  const [pending, setPending] = useState(false);
  if (keptCells === null) return null;
  return (
    <section
      aria-label="Kept cells"
      className="animate-appear flex min-w-0 grow basis-72 items-center justify-end gap-2"
    >
      <p role="status" className="min-w-0 truncate text-[13px] font-medium tabular-nums">
        All maps show {formatCount(keptCells.cellCount)} of {plural(list.cell_count, 'cell')}
      </p>
      <Button
        variant="secondary"
        size="xs"
        disabled={pending}
        onClick={() => {
          setPending(true);
          void onShowOthers().finally(() => setPending(false));
        }}
      >
        Show all again
      </Button>
    </section>
  );
}

function SaveSubset({ selection, save }: { selection: CellSelection } & Pick<SelectionActions, 'save'>) {
  const [saving, setSaving] = useState(false);
  const submit = async (name: string, done: () => void) => {
    setSaving(true);
    try {
      await save(name, selection);
      done();
    } finally {
      setSaving(false);
    }
  };
  return (
    <NamePopover
      trigger={<Button size="xs">Save as subset</Button>}
      label="Name of the subset"
      suggestion={selection.of?.name ?? `Selection of ${formatCount(selection.count)}`}
      hint="Saves these cells for this version of the dataset: the same on every map."
      action={['Save', 'Saving...']}
      isBusy={saving}
      side="top"
      onName={(name, done) => void submit(name, done)}
    />
  );
}

interface Part {
  label: string;
  cells: number;
  /** Share of all cells of the category, 0 to 1. */
  ofCategory: number;
}

function Composition({
  dataset,
  list,
  selection,
}: Pick<SelectionBarProps, 'dataset' | 'list'> & { selection: CellSelection }) {
  const { api } = useServices();
  const column = groupsColumn(list.obs);
  const { data } = useQuery(
    valuesQuery(api, dataset, column && { from: 'obs', name: column.name }, undefined),
  );
  const parts = useMemo(
    () => (data?.kind === 'categories' ? partsOf(selection, data) : []),
    [selection, data],
  );
  if (column === undefined || parts.length === 0) return null;
  const shown = parts.slice(0, 2).map(({ label, cells }) => `${label} ${percent(cells, selection.count)}`);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="link"
          size="inline"
          className="min-w-0 shrink text-left text-xs font-normal"
          title={`Composition by ${column.title}`}
        >
          <span className="min-w-0 truncate">
            {column.title}: {shown.join(', ')}
            {parts.length > 2 ? `, ${parts.length - 2} more` : ''}
          </span>
        </Button>
      </PopoverTrigger>
      <PopoverContent side="top" align="start" className="w-80 p-3">
        <table className="w-full text-xs tabular-nums">
          <caption className="mb-1.5 text-left text-[13px] font-medium">
            Composition by {column.title}
          </caption>
          <thead className="text-muted text-right">
            <tr>
              <th scope="col" className="text-left font-normal">
                {column.title}
              </th>
              <th scope="col" className="font-normal">
                Cells
              </th>
              <th scope="col" className="font-normal">
                Of selection
              </th>
              <th scope="col" className="font-normal">
                Of the type
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.slice(0, 30).map(({ label, cells, ofCategory }) => (
              <tr key={label} className="text-right">
                <th scope="row" className="max-w-32 truncate text-left font-normal">
                  {label}
                </th>
                <td>{formatCount(cells)}</td>
                <td>{percent(cells, selection.count)}</td>
                <td>{percent(ofCategory, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {parts.length > 30 && (
          <p className="text-muted mt-1 text-xs">{parts.length - 30} more with fewer cells</p>
        )}
      </PopoverContent>
    </Popover>
  );
}

function partsOf(selection: CellSelection, { codes, categories, counts, missing }: CategoryColumn): Part[] {
  const selected = countsByCode(selection, codes, categories.length);
  const all = [missing, ...counts];
  return Array.from(selected, (cells, code) => ({
    label: code === 0 ? 'Not assigned' : categories[code - 1]!,
    cells,
    ofCategory: cells / Math.max(1, all[code]!),
  }))
    .filter(({ cells }) => cells > 0)
    .sort((a, b) => b.cells - a.cells);
}
