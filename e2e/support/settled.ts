import type { Locator, Page } from '@playwright/test';

/** Waits until what the last action changed has been painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Where an element is once it has come to rest, for presses of the mouse that no locator can make. */
export async function placeOf(
  element: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const handle = await element.elementHandle();
  await handle?.waitForElementState('stable');
  const box = await handle?.boundingBox();
  if (!box) throw new Error(`${String(element)} is not shown`);
  return box;
}
