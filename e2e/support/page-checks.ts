import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import type axe from 'axe-core';

export const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Violations that axe finds in a part of a page without frames, or of a frame that has axe. It is loaded once per page, and only violations are
 * requested: describing all passes takes longer.
 */
async function findings(part: Locator, options: axe.RunOptions): Promise<string[]> {
  const page = part.page();
  if (!(await part.evaluate(() => 'axe' in globalThis))) {
    // Notices and dialogs fade in; what fades has too little contrast for a moment.
    await page.addStyleTag({
      content: '*, ::before, ::after { animation: none !important; transition: none !important }',
    });
    await page.evaluate(axeScript);
  }
  return part.evaluate(
    async (element, runOptions) => {
      // A notice lies over the page for a while, and lets clicks through: what is under it is as large as before.
      const noticed = () => document.querySelector('[data-sonner-toast]') !== null;
      const before = noticed();
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        element,
        runOptions,
      );
      const isUnderNotice = before || noticed();
      // A target partly under a bar that stays in view comes out of it by scrolling.
      const isUnderBar = (place: string) => {
        const target = document.querySelector(place);
        const { top, bottom } = target?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
        return [...document.querySelectorAll('.sticky')].some((bar) => {
          const box = bar.getBoundingClientRect();
          const isBeside = bar.parentElement?.contains(target) === true && !bar.contains(target);
          return isBeside && box.top < bottom && top < box.bottom;
        });
      };
      // A menu that is open hangs from the page itself, outside of its landmarks.
      const isInOpenMenu = (place: string) =>
        document.querySelector(place)?.closest('[data-radix-popper-content-wrapper]') instanceof Element;
      return violations
        .filter(({ id }) => id !== 'target-size' || !isUnderNotice)
        .flatMap(({ id, nodes }) =>
          nodes
            .map(({ target }) => target.join(' '))
            .filter((place) => id !== 'region' || !isInOpenMenu(place))
            .filter((place) => id !== 'target-size' || !isUnderBar(place))
            .map((place) => `${id}: ${place}`),
        );
    },
    { ...options, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
}

/**
 * Expects no violations of axe (including targets of 24 pixels) and nothing wider than the screen. `part`: what is new,
 * if a test has already checked the rest of the page.
 */
export async function expectAccessible(page: Page, part: Locator = page.locator('html')): Promise<void> {
  // From WCAG 2.2, and off by default.
  expect(await findings(part, { rules: { 'target-size': { enabled: true } } })).toEqual([]);
  await expectNoWiderThanScreen(page);
}

export async function expectNoWiderThanScreen(page: Page): Promise<void> {
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content, 'width of the page on its screen').toBeLessThanOrEqual(screen);
}

/**
 * As {@link expectAccessible} in the current theme; in the other one, which stays active, checks colours only, since
 * themes change nothing else.
 */
export async function expectAccessibleInBothThemes(page: Page, part = page.locator('html')): Promise<void> {
  await expectAccessible(page, part);
  const root = page.locator('html');
  const other = await root.evaluate((html) => (html.classList.contains('dark') ? 'light' : 'dark'));
  await page.emulateMedia({ colorScheme: other });
  await expect(root).toHaveClass(other === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/);
  const contrastFindings = await findings(part, { runOnly: ['color-contrast', 'link-in-text-block'] });
  expect(contrastFindings, `in the ${other} theme`).toEqual([]);
}

/**
 * Waits until a public page, which is readable before its code has loaded, is interactive: it then knows the session.
 */
export async function expectAlive(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: /^(Login|Account)$/ })).toBeVisible();
}

/** Waits until the browser reports its first paint, which it does some time after painting. */
export async function expectPainted(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
}

/** Returns the cumulative layout shift since the page was opened, as browsers measure it. */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum);
}
