import { afterEach, expect, test, vi } from 'vitest';
import { browserPath } from './browser.mjs';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the browser that CELLFOLIO_CHROMIUM names comes before those that are installed', () => {
  vi.stubEnv('CELLFOLIO_CHROMIUM', process.execPath);
  expect(browserPath()).toBe(process.execPath);
});

test('a browser that is named and does not exist is refused by its path, and no other is used instead', () => {
  vi.stubEnv('CELLFOLIO_CHROMIUM', '/nonexistent/chromium');
  expect(() => browserPath()).toThrow(
    'CELLFOLIO_CHROMIUM names /nonexistent/chromium, which does not exist.',
  );
});
