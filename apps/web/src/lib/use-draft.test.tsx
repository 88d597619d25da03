import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readTexts, useDraft } from './use-draft.ts';

const draft = () => renderHook(() => useDraft<string[]>('genes', [], readTexts));

test('a draft is there again after a reload of the page', () => {
  const first = draft();
  act(() => first.result.current[1](['CD3D']));
  first.unmount();
  expect(draft().result.current[0]).toEqual(['CD3D']);
});

test.each(['[1]', '{', 'null', '{"0": "A"}'])('a draft that reads %s is discarded', (stored) => {
  sessionStorage.setItem('cellfolio:draft:genes', stored);
  expect(draft().result.current[0]).toEqual([]);
});
