import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useMapAddress } from './map-address.ts';
import { type KeptCells, MapStore } from './map-store.ts';

const cells = { version: 'v1', cellCount: 5000, saved: [] };
const cards = ['default'];

test('kept cells are in the address at once, so that a page opened from it adds no figures of them', () => {
  const store = new MapStore();
  const { result } = renderHook(() => useMapAddress(store, cards, cells));
  const filter = { subset_group_name: 'Kept', cells_filter: true } as KeptCells['filter'];
  act(() => store.set({ keptCells: { name: 'Kept', filter, cellCount: 12 } }));
  expect(result.current).toBe('{"kept":true}');
  act(() => store.set({ keptCells: null }));
  expect(result.current).toBeNull();
});
