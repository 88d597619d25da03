import { expect, test, vi } from 'vitest';
import { applyTheme, followSystemTheme, themeStore } from './theme.ts';

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

test('a page follows a system that became dark between its first paint and its code', () => {
  const system = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', () => system);
  applyTheme();
  system.matches = true;
  followSystemTheme();
  expect(dark()).toBe(true);
  system.matches = false;
  system.dispatchEvent(new Event('change'));
  expect(dark()).toBe(false);
});
