import { expect, type Locator, type Page } from '@playwright/test';

export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Position of an element once it is at rest, for mouse actions that no locator can perform. */
export async function placeOf(
  element: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const handle = await element.elementHandle();
  await handle?.waitForElementState('stable');
  const box = await handle?.boundingBox();
  if (!box) throw new Error(`${String(element)} is not shown`);
  return box;
}

/** Polls until two consecutive reads are equal: screenshots of a page that is still being laid out change. */
export async function atRest<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  await expect(async () => {
    const before = last;
    last = await read();
    expect(last === before, 'the same as before').toBe(true);
  }).toPass({ intervals: [250] });
  return last;
}
