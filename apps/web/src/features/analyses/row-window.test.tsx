import { fireEvent, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { rowHeight, useRowWindow } from './row-window.ts';

test('rows that are in sight stay while their table is hidden, so that the focus can return to one', () => {
  const box = document.createElement('div');
  const height = vi.spyOn(box, 'clientHeight', 'get').mockReturnValue(10 * rowHeight);
  const ref = { current: box };
  const { result } = renderHook(() => useRowWindow(ref, 1000));
  const scrollTo = (top: number) => {
    box.scrollTop = top;
    fireEvent.scroll(box);
  };
  scrollTo(500 * rowHeight);
  const inSight = result.current;
  expect(inSight.from).toBeGreaterThan(400);
  height.mockReturnValue(0);
  scrollTo(0);
  expect(result.current).toEqual(inSight);
  height.mockReturnValue(10 * rowHeight);
  scrollTo(0);
  expect(result.current.from).toBe(0);
});
