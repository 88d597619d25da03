import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';

// The widget of clients/python, in a page that gives it what a notebook would.

const folder = new URL('../clients/python/src/cellfolio/', import.meta.url);
const hostile = '<img src=x onerror="window.attacked = true">';

interface Widget {
  saved: number[][];
  clean(): void;
}

/** Four quadrants of cells, each a category; the last cell has no position. */
async function showMap(page: Page): Promise<void> {
  const [script, style] = await Promise.all(
    ['widget.js', 'widget.css'].map((name) => readFile(new URL(name, folder), 'utf8')),
  );
  await page.setContent(`<style>${style}</style><div id="map"></div>`);
  await page.evaluate(
    async ({ script, label }) => {
      const address = URL.createObjectURL(new Blob([script!], { type: 'text/javascript' }));
      const module = (await import(address)) as {
        default: { render: (of: { model: object; el: Element }) => () => void };
      };
      const corners = [0, 1, 2, 3].flatMap((at) =>
        Array.from({ length: 25 }, (_, cell) => [
          (at % 2 ? 0.7 : 0.1) + (cell % 5) * 0.05,
          (at < 2 ? 0.1 : 0.7) + Math.floor(cell / 5) * 0.05,
        ]),
      );
      const positions = Float32Array.from([...corners, [Number.NaN, Number.NaN]].flat());
      const levels = Uint16Array.from([...corners.map((_, cell) => 1 + Math.floor(cell / 25)), 0]);
      const values = new Map<string, unknown>([
        ['_positions', new DataView(positions.buffer)],
        ['_levels', new DataView(levels.buffer)],
        [
          '_facts',
          {
            title: label,
            colors: ['#ff0000', '#00a000', '#0000ff', '#a0a000'],
            is_gene: false,
            legend: [label, 'B', 'C', 'D', 'missing'],
            legend_levels: [1, 2, 3, 4, 0],
          },
        ],
      ]);
      const saved: number[][] = [];
      const model = {
        get: (name: string) => values.get(name),
        set: (name: string, value: unknown) => values.set(name, value),
        save_changes: () => {
          const bits = new Uint8Array((values.get('_bits') as DataView).buffer);
          const cells = Array.from({ length: 101 }, (_, cell) => cell);
          saved.push(cells.filter((cell) => (bits[cell >> 3]! >> (cell & 7)) & 1));
        },
        on: () => undefined,
        off: () => undefined,
      };
      const clean = module.default.render({ model, el: document.querySelector('#map')! });
      Object.assign(window, { widget: { saved, clean } });
    },
    { script, label: hostile },
  );
}

const saved = (page: Page) =>
  page.evaluate(() => (window as unknown as { widget: Widget }).widget.saved.at(-1) ?? []);

/** Drags around a part of the map, in shares of its width and height from above. */
async function encircle(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const box = (await page.getByRole('img').boundingBox())!;
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (const corner of [[to[0], from[1]], to, [from[0], to[1]], from] as [number, number][])
    await page.mouse.move(...at(corner), { steps: 5 });
  await page.mouse.up();
}

/** Red, green, blue and alpha of the map at a share of its width and height, at the next frame. */
async function colorAt(page: Page, x: number, y: number): Promise<number[]> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  return page.getByRole('img').evaluate(
    (canvas: HTMLCanvasElement, [x, y]) => {
      const context = canvas.getContext('2d')!;
      return [...context.getImageData(canvas.width * x!, canvas.height * y!, 1, 1).data];
    },
    [x, y],
  );
}

test('the lasso of the notebook map selects cells, and adds and removes some', async ({ page }) => {
  await showMap(page);
  const count = page.getByRole('status');
  await expect(count).toHaveText('0 of 101 cells selected');

  // The second axis points up: the first quadrant is at the bottom left.
  await encircle(page, [0.02, 0.55], [0.45, 0.98]);
  await expect(count).toHaveText('25 of 101 cells selected');
  expect(await saved(page)).toEqual(Array.from({ length: 25 }, (_, cell) => cell));

  await page.keyboard.down('Shift');
  await encircle(page, [0.55, 0.02], [0.98, 0.45]);
  await page.keyboard.up('Shift');
  await expect(count).toHaveText('50 of 101 cells selected');
  await page.keyboard.down('Alt');
  await encircle(page, [0.02, 0.55], [0.45, 0.98]);
  await page.keyboard.up('Alt');
  expect(await saved(page)).toEqual(Array.from({ length: 25 }, (_, cell) => 75 + cell));

  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(count).toHaveText('0 of 101 cells selected');
  expect(await saved(page)).toEqual([]);
});

test('the notebook map draws each cell in the color of its group, and moves', async ({ page }) => {
  await showMap(page);
  const near = (share: number) => 0.5 + (share - 0.5) * 0.97;
  const [left, right] = [near(0.2), near(0.8)];
  // Red, green, blue and yellow, from the bottom left.
  expect(await colorAt(page, left, 1 - left)).toEqual([255, 0, 0, 255]);
  expect(await colorAt(page, right, 1 - left)).toEqual([0, 160, 0, 255]);
  expect(await colorAt(page, left, 1 - right)).toEqual([0, 0, 255, 255]);
  expect(await colorAt(page, right, 1 - right)).toEqual([160, 160, 0, 255]);

  await page.getByRole('button', { name: 'Move' }).click();
  const box = (await page.getByRole('img').boundingBox())!;
  await page.mouse.move(box.x + box.width * left, box.y + box.height * left);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * right, box.y + box.height * left, { steps: 5 });
  await page.mouse.up();
  expect(await colorAt(page, right, 1 - right)).toEqual([0, 0, 255, 255]);
  await page.mouse.wheel(0, 400);
  await page.getByRole('button', { name: 'Whole map' }).click();
  expect(await colorAt(page, left, 1 - left)).toEqual([255, 0, 0, 255]);
});

test('names in the notebook map are texts', async ({ page }) => {
  await showMap(page);
  await expect(page.getByRole('list')).toContainText(hostile);
  await expect(page.getByRole('img')).toHaveCount(1);
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
});
