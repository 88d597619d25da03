import { expect, test } from 'vitest';
import { applyTheme, themeStore } from './theme.ts';

const dark = () => document.documentElement.classList.contains('dark');

test("the theme is the system's until one is chosen; the choice is stored and shown at once", () => {
  expect(themeStore.get()).toBe('system');
  applyTheme();
  expect(dark()).toBe(false);
  themeStore.set('dark');
  expect(dark()).toBe(true);
  expect(localStorage.getItem('cellfolio:theme')).toBe('dark');
  themeStore.set('system');
  expect(dark()).toBe(false);
});
