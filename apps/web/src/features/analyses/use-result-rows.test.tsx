import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { resultTable } from './result-columns.ts';
import { markerAnswer } from './result.fixture.ts';
import { useResultRows } from './use-result-rows.ts';

test('a search for a name of two words finds that name, and else the rows that hold both words', () => {
  const marker_csv = 'group,names,scores\nB cell,CD79A,9\nT cell,TRBC1,8\nNK,CD79A,7\n';
  const table = resultTable({
    kind: 'marker',
    answer: markerAnswer({ marker_csv }),
    id: '',
    datasetName: '',
    subsetName: '',
    version: '1',
    createdAt: 0,
    again: false,
  });
  const found = (search: string, group = '') =>
    renderHook(() => useResultRows(table, search, group))
      .result.current.getRowModel()
      .rows.map(({ original }) => original.at);
  expect(found('b cell')).toEqual([0]);
  expect(found(' trbc CELL ')).toEqual([1]);
  expect(found('cd79a', 'NK')).toEqual([2]);
  expect(found('nothing')).toEqual([]);
});
