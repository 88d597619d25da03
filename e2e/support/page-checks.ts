import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * What axe finds in a page without frames. Read into a page once, for all questions asked of it, and asked for failures
 * alone: to describe all that is well takes longer.
 */
export async function accessibilityViolations(page: Page, options: axe.RunOptions = {}) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript);
  return page.evaluate(
    async (asked) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, asked);
      return violations.map(({ id, nodes }) => ({
        id,
        targets: nodes.map(({ target }) => target.join(' ')),
      }));
    },
    { ...options, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
}

/** No finding of axe, targets of 24 pixels among them, and nothing wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  // Notices and dialogs fade in; what fades has too little contrast for a moment.
  await page.addStyleTag({
    content: '*, ::before, ::after { animation: none !important; transition: none !important }',
  });
  // A notice lies over the page for a while, and lets clicks through: what is under it is as large as before.
  const noticed = async () => (await page.locator('[data-sonner-toast]').count()) > 0;
  const before = await noticed();
  // Of WCAG 2.2, and left out unless it is asked for.
  const rules = { 'target-size': { enabled: !before } };
  const violations = await accessibilityViolations(page, { rules });
  // One may have come meanwhile.
  const isUnderNotice = before || (await noticed());
  const findings: string[] = [];
  for (const { id, targets } of violations) {
    if (id === 'target-size' && isUnderNotice) continue;
    for (const place of targets) {
      if (id !== 'region' || !(await isInOpenMenu(page, place))) findings.push(`${id}: ${place}`);
    }
  }
  expect(findings).toEqual([]);
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content, 'width of the page on its screen').toBeLessThanOrEqual(screen);
}

/** As `expectAccessible` in the light theme; the dark one, which changes colours and nothing else, is asked for those. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).not.toHaveClass(/\bdark\b/);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveClass(/\bdark\b/);
  const violations = await accessibilityViolations(page, {
    runOnly: ['color-contrast', 'link-in-text-block'],
  });
  const findings = violations.flatMap(({ id, targets }) => targets.map((place) => `${id}: ${place}`));
  expect(findings, 'in the dark theme').toEqual([]);
}

/** Public pages can be read before their code has come: waits until it has, as it then knows who is signed in. */
export async function expectAlive(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: /^(Login|Account)$/ })).toBeVisible();
}

/** The browser has told when it painted the page first, which it does some time after. */
export async function expectPainted(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
}

/** How much of the page has moved since it was opened, as browsers measure it; counted from the start. */
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

/** A menu that is open hangs from the page itself, outside of its landmarks. */
const isInOpenMenu = (page: Page, place: string): Promise<boolean> =>
  page
    .locator(place)
    .first()
    .evaluate((element) => element.closest('[data-radix-popper-content-wrapper]') !== null);
