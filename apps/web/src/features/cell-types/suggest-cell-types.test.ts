import { expect, test, vi } from 'vitest';
import { cellTypeDefaults, type CellTypeForm } from './cell-type-form.ts';
import { cellTypeAnalysis, suggestCellTypes } from './cell-type-analysis.tsx';

function changeFrom(form: CellTypeForm, clusters: string[]) {
  const prepare = vi.fn();
  suggestCellTypes({ prepare, forms: { [cellTypeAnalysis.id]: { ...form } } }, { leiden_clusters: clusters });
  return prepare.mock.calls;
}

test('types are suggested for the clusters unless other groups were chosen before', () => {
  expect(changeFrom(cellTypeDefaults, ['0', '1'])).toEqual([[cellTypeAnalysis, { groupBy: 'leiden' }]]);
  expect(changeFrom({ ...cellTypeDefaults, groupBy: 'cell_type' }, ['0', '1'])).toEqual([
    [cellTypeAnalysis, {}],
  ]);
  expect(changeFrom(cellTypeDefaults, [])).toEqual([[cellTypeAnalysis, {}]]);
});
