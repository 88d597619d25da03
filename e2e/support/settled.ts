import { expect, type Locator, type Page } from '@playwright/test';

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

/** What is read once it is the same as a moment before: pictures of a page that is still being laid out change. */
export async function atRest<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  await expect(async () => {
    const before = last;
    last = await read();
    expect(last === before, 'the same as before').toBe(true);
  }).toPass({ intervals: [250] });
  return last;
}
