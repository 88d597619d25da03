import { expect, test } from 'vitest';
import { pageShortcuts } from './page-shortcuts.ts';
import { mapShortcuts } from '@/features/map/index.ts';
import { actionOf, keyCaps } from '@/lib/shortcuts.ts';

const press = (
  key: string,
  modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', true>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});

test('the palette opens by Ctrl+K and Cmd+K, the list by a question mark wherever it is on the keyboard', () => {
  expect(actionOf(pageShortcuts, press('k', { ctrlKey: true }))).toBe('palette');
  expect(actionOf(pageShortcuts, press('K', { metaKey: true }))).toBe('palette');
  expect(actionOf(pageShortcuts, press('?', { shiftKey: true }))).toBe('shortcuts');
  expect(actionOf(pageShortcuts, press('?'))).toBe('shortcuts');
});

test('other modifiers make another key', () => {
  expect(actionOf(pageShortcuts, press('k'))).toBeUndefined();
  expect(actionOf(pageShortcuts, press('k', { ctrlKey: true, shiftKey: true }))).toBeUndefined();
  expect(actionOf(pageShortcuts, press('k', { ctrlKey: true, altKey: true }))).toBeUndefined();
  const undo = actionOf(mapShortcuts, press('z', { ctrlKey: true }));
  expect(undo).toBeDefined();
  expect(actionOf(mapShortcuts, press('Z', { ctrlKey: true, shiftKey: true }))).not.toBe(undo);
});

test('no key of a list does two things, and each has a description of its own', () => {
  for (const list of [pageShortcuts, mapShortcuts]) {
    const keys = list.flatMap((shortcut) => shortcut.keys.map((key) => keyCaps(key).join('+')));
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(list.map(({ label }) => label)).size).toBe(list.length);
  }
});
