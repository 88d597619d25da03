import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useResultRows } from './result-rows.ts';
import { resultTable } from './result-table.ts';
import { markerResult } from './result.fixture.ts';

test('a search for a name of two words finds that name, and else the rows that hold both words', () => {
  const marker_csv = 'group,names,scores\nB cell,CD79A,9\nT cell,TRBC1,8\nNK,CD79A,7\n';
  const table = resultTable(markerResult(marker_csv));
  const found = (search: string, group = '') =>
    renderHook(() => useResultRows(table, search, group))
      .result.current.getRowModel()
      .rows.map(({ original }) => original.at);
  expect(found('b cell')).toEqual([0]);
  expect(found(' trbc CELL ')).toEqual([1]);
  expect(found('cd79a', 'NK')).toEqual([2]);
  expect(found('nothing')).toEqual([]);
});
