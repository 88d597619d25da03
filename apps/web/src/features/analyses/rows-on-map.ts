import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { type TableColumns, textAt, textsOf } from '@/features/tables/index.ts';
import { GenesOnMapContext } from './draw-genes.tsx';
import { scrollToRow } from './row-window.ts';

/**
 * Rows of genes on the live map: a click, or Enter at the row that the arrow keys are at, shows its gene, and once more
 * restores the map.
 */
export function useRowsOnMap(box: RefObject<HTMLElement | null>, table: TableColumns, rows: Int32Array) {
  const map = use(GenesOnMapContext);
  const gene = map?.gene ?? null;
  const [current, setCurrent] = useState<number | null>(null);
  const genes = map === null ? undefined : textsOf(table.columns, 'names');
  const turn = (index: number) => {
    const row = rows[index];
    const here = genes === undefined || row === undefined ? '' : textAt(genes, row);
    if (here !== '') map?.show(here === gene ? null : here);
  };
  const goTo = (index: number) => {
    if (box.current !== null) scrollToRow(box.current, index, rows.length);
  };
  const goToGene = useEffectEvent((shown: string | null) => {
    const code = shown === null ? -1 : (genes?.categories.indexOf(shown) ?? -1);
    const index = code < 0 ? -1 : rows.findIndex((row) => genes?.codes[row] === code);
    if (index >= 0) goTo(index);
  });
  useEffect(() => goToGene(gene), [gene]);
  return {
    current,
    isOnMap: (row: number) => gene !== null && genes !== undefined && textAt(genes, row) === gene,
    /** Describes the keys; undefined for rows that are not about genes. */
    keys: genes && 'Arrow keys go through the rows, Enter shows the gene of a row on the map.',
    onClick: ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('button, a, thead') !== null) return;
      const place = target.closest('tr')?.getAttribute('aria-rowindex');
      // The end of a text that is selected is no choice of its row.
      if (place && getSelection()?.isCollapsed !== false) turn(Number(place) - 2);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (genes === undefined || event.target !== event.currentTarget) return;
      if (event.key === 'Enter' && current !== null) turn(current);
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (by === 0 || rows.length === 0) return;
      event.preventDefault();
      const next = Math.min(Math.max((current ?? -1) + by, 0), rows.length - 1);
      setCurrent(next);
      goTo(next);
    },
  };
}
