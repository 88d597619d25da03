import type * as mapPackage from '@cellfolio/map';
import { type ServedMap, serveMap } from '@cellfolio/map/testing';
import type * as testing from '@cellfolio/map/testing';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { browserPath, softwareWebglArguments } from '../scripts/browser.mjs';

interface MapWindow {
  map: typeof mapPackage;
  data: Pick<typeof testing, 'clusteredPositions' | 'randomBits' | 'randomLayer' | 'viewOf'>;
  contexts: WebGL2RenderingContext[];
  uploaded: number;
}

let served: ServedMap;
let browser: Browser;
let page: Page;
let withoutWorkers: Page;

// One browser for all of them, and its two pages.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  served = await serveMap();
  browser = await chromium.launch({ executablePath: browserPath(), args: softwareWebglArguments });
  page = await openPage();
  withoutWorkers = await openPage();
  await withoutWorkers.route('**/map-thread.ts', (route) => route.abort());
});
test.afterAll(async () => {
  await browser.close();
  await served.close();
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const own = window as unknown as MapWindow & { contexts: WebGL2RenderingContext[] };
    Object.assign(own, { contexts: [], uploaded: 0 });
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
      const context = Reflect.apply(original, this, args) as RenderingContext | null;
      if (context instanceof WebGL2RenderingContext) {
        own.contexts.push(context);
        const send = context.bufferSubData.bind(context);
        context.bufferSubData = (...sent: unknown[]) => {
          own.uploaded += (sent[2] as Uint8Array).BYTES_PER_ELEMENT * (sent[4] as number);
          Reflect.apply(send, context, sent);
        };
      }
      return context;
    } as typeof original;
  });
  await page.goto(served.address);
  await page.evaluate(async () => {
    const [map, data] = ['/index.ts', '/seeded-cells.test-data.ts'];
    Object.assign(window, { map: await import(map!), data: await import(data!) });
  });
  return page;
}

const views = {
  'single pixels': { pointSize: 1 },
  'squares of two pixels': { pointSize: 2, background: [0, 0, 0] },
  'discs of three with some on top': { pointSize: 3, onTopFrom: 100 },
  'discs of eight, cut by the rim, far in': {
    pointSize: 8,
    camera: { x: 0.31, y: 0.66, zoom: 9 },
    onTopFrom: 200,
  },
  'discs of eleven, dimmed outside of a selection': { pointSize: 11, selected: 0.3, onTopFrom: 50 },
  'a sample in the size that fits': { sample: 900 },
  'a high, narrow picture': { width: 90, height: 333, pointSize: 2 },
} as const;

test('the WebGL painter draws what the processor draws, in views of all kinds', async () => {
  for (const [name, settings] of Object.entries(views)) {
    const pixelCounts = await page.evaluate((viewSettings) => {
      const { map, data } = window as unknown as MapWindow;
      const { selected, onTopFrom, ...changes } = viewSettings as {
        selected?: number;
        onTopFrom?: number;
      } & Partial<ReturnType<(typeof testing)['viewOf']>>;
      const cells = 9000;
      const points = new map.Points(data.clusteredPositions(cells), { morton: true, missing: 50 });
      const layer = { ...data.randomLayer(cells), ...(onTopFrom === undefined ? {} : { onTopFrom }) };
      const view = data.viewOf(layer, {
        width: 400,
        height: 300,
        ...changes,
        ...(selected === undefined ? {} : { selection: data.randomBits(cells, selected) }),
      });
      const [actual, expected] = (['webgl', 'cpu'] as const).map((engine) => {
        const renderer = new map.MapRenderer(points, { engine });
        if (renderer.engine !== engine) throw new Error(`no ${engine}`);
        const target = new OffscreenCanvas(view.width, view.height).getContext('2d')!;
        renderer.paint(view, target as unknown as CanvasRenderingContext2D);
        renderer.close();
        return target.getImageData(0, 0, view.width, view.height).data;
      });
      let different = 0;
      let covered = 0;
      for (let at = 0; at < expected!.length; at += 4) {
        const channels = [at, at + 1, at + 2];
        if (channels.some((one) => Math.abs(actual![one]! - expected![one]!) > 3)) different++;
        if (channels.some((one, channel) => expected![one] !== view.background[channel])) covered++;
      }
      return { different, covered };
    }, settings);
    expect(pixelCounts.covered, name).toBeGreaterThan(500);
    // A cell whose centre is within a rounding error of the edge of a pixel may fall into the next one.
    expect(pixelCounts.different, name).toBeLessThan(pixelCounts.covered / 500);
  }
});

test('cells without a position in the middle are not drawn by either painter, and not uploaded', async () => {
  const outcomes = await page.evaluate(() => {
    const { map, data } = window as unknown as MapWindow;
    const cells = 5000;
    const positions = data.clusteredPositions(cells, { morton: false });
    const unplaced = data.randomBits(cells, 0.4);
    const points = new map.Points(positions, { morton: false, missing: 0, unplaced });
    const view = data.viewOf({ ...data.randomLayer(cells), onTopFrom: 120 }, { pointSize: 1 });
    return (['webgl', 'cpu'] as const).map((engine) => {
      const renderer = new map.MapRenderer(points, { engine });
      const target = document.createElement('canvas').getContext('2d')!;
      renderer.paint(view, target);
      const { gpu } = renderer.bytes();
      renderer.close();
      return { gpu, picture: target.getImageData(0, 0, view.width, view.height).data.join() };
    });
  });
  expect(outcomes[0]!.picture).toBe(outcomes[1]!.picture);
  expect((outcomes[0]!.gpu - 2048) / 5).toBeLessThan(5000 * 0.65);
});

test('the processor draws a sample of many cells at once and all of them in a worker, or on the page where none may run', async () => {
  const draw = async () => {
    const { map, data } = window as unknown as MapWindow;
    const cells = 400_000;
    const random = crypto.getRandomValues.bind(crypto);
    const positions = new Uint16Array(2 * cells);
    for (let at = 0; at < positions.length; at += 32_768) random(positions.subarray(at, at + 32_768));
    const points = new map.Points(positions, { morton: false, missing: 0 });
    const worker = new map.MapWorker(points);
    const renderer = new map.MapRenderer(points, { engine: 'cpu', worker });
    const view = data.viewOf(data.randomLayer(cells), { width: 350, height: 300, pointSize: 3 });
    const target = Object.assign(document.createElement('canvas'), { width: 350, height: 300 }).getContext(
      '2d',
    )!;
    const picture = () => new Uint32Array(target.getImageData(0, 0, 350, 300).data.buffer);
    const painted = (sample: number) => {
      const pixels = new Uint32Array(350 * 300);
      map.paintPixels(points, { ...view, sample }, pixels);
      return pixels;
    };
    const isThat = (pixels: Uint32Array) => picture().every((pixel, at) => pixel === pixels[at]);
    renderer.paint(view, target);
    const atOnce = isThat(painted(200_000));
    await renderer.settled();
    const soon = isThat(painted(cells));
    renderer.paint(view, target);
    renderer.paint({ ...view, sample: 1000 }, target);
    await renderer.settled();
    const notReplaced = isThat(painted(1000));
    renderer.paint(view, target);
    worker.close();
    await renderer.settled();
    return { atOnce, soon, notReplaced, sampleIsLeft: isThat(painted(200_000)) };
  };
  let workers = 0;
  page.on('worker', () => workers++);
  const expectedDraws = { atOnce: true, soon: true, notReplaced: true };
  expect(await page.evaluate(draw)).toEqual({ ...expectedDraws, sampleIsLeft: true });
  expect(workers).toBe(1);

  expect(await withoutWorkers.evaluate(draw)).toMatchObject(expectedDraws);
});

test('software WebGL is left for the processor, unless it is requested', async () => {
  const engines = await page.evaluate(() => {
    const { map, data } = window as unknown as MapWindow;
    const points = new map.Points(data.clusteredPositions(10), { morton: true, missing: 0 });
    return [{}, { engine: 'webgl' as const }].map((options) => new map.MapRenderer(points, options).engine);
  });
  expect(engines).toEqual(['cpu', 'webgl']);
});

test('a lost context is drawn for by the processor and comes back with the same picture', async () => {
  const outcome = await page.evaluate(async () => {
    const { map, data, contexts } = window as unknown as MapWindow;
    const cells = 5000;
    const points = new map.Points(data.clusteredPositions(cells), { morton: true, missing: 0 });
    const renderer = new map.MapRenderer(points, { engine: 'webgl' });
    const selection = data.randomBits(cells, 0.4);
    const view = data.viewOf({ ...data.randomLayer(cells), onTopFrom: 90 }, { pointSize: 1, selection });
    const target = document.createElement('canvas').getContext('2d')!;
    const picture = () => {
      target.clearRect(0, 0, view.width, view.height);
      renderer.paint(view, target);
      return target.getImageData(0, 0, view.width, view.height).data.join();
    };
    const before = picture();
    const gl = contexts.at(-1)!;
    const extension = gl.getExtension('WEBGL_lose_context')!;
    const lost = new Promise((resolve) => gl.canvas.addEventListener('webglcontextlost', resolve));
    const restored = new Promise<void>((resolve) => (renderer.onRestored = resolve));
    extension.loseContext();
    const atOnce = picture() === before;
    await lost;
    const meanwhile = { engine: renderer.engine, same: picture() === before, gpu: renderer.bytes().gpu };
    // A browser restores it when the event is over.
    await new Promise((resolve) => setTimeout(resolve, 50));
    extension.restoreContext();
    await restored;
    return { atOnce, meanwhile, engine: renderer.engine, same: picture() === before, error: gl.getError() };
  });
  expect(outcome).toEqual({
    atOnce: true,
    meanwhile: { engine: 'cpu', same: true, gpu: 0 },
    engine: 'webgl',
    same: true,
    error: 0,
  });
});

test('only what is new is uploaded, and nothing is kept of layers that no card shows', async () => {
  const uploadSteps = await page.evaluate(() => {
    const own = window as unknown as MapWindow;
    const { map, data } = own;
    const cells = 100_000;
    const points = new map.Points(new Uint16Array(2 * cells).fill(9), { morton: true, missing: 0 });
    const renderer = new map.MapRenderer(points, { engine: 'webgl' });
    const cards = [0, 1, 2, 3].map(() => document.createElement('canvas').getContext('2d')!);
    const first = data.viewOf(data.randomLayer(cells));
    const steps: { name: string; uploaded: number; bytes: number }[] = [];
    const step = (name: string, work: () => void) => {
      own.uploaded = 0;
      work();
      const { gpu, heap } = renderer.bytes();
      steps.push({ name, uploaded: own.uploaded / cells, bytes: Math.round((gpu + heap) / cells) });
    };
    step('first', () => renderer.paint(first, cards[0]!));
    step('moved', () => renderer.paint({ ...first, camera: { x: 0.5, y: 0.4, zoom: 3 } }, cards[0]!));
    const palette = first.layer.palette.toReversed();
    step('other palette', () => renderer.paint({ ...first, layer: { ...first.layer, palette } }, cards[0]!));
    step('same in a second card', () => renderer.paint(first, cards[1]!));
    const other = data.viewOf(data.randomLayer(cells, 7));
    step('second', () => renderer.paint(other, cards[1]!));
    step('recoloured', () => renderer.paint(data.viewOf(data.randomLayer(cells, 8)), cards[1]!));
    const selected = { ...first, selection: data.randomBits(cells, 0.5) };
    step('selection', () => renderer.paint(selected, cards[0]!));
    step('selection in a second card', () =>
      renderer.paint({ ...other, selection: selected.selection }, cards[1]!),
    );
    step('card gone', () => renderer.release(cards[1]!));
    return steps;
  });
  expect(uploadSteps).toEqual([
    { name: 'first', uploaded: 1, bytes: 10 },
    { name: 'moved', uploaded: 0, bytes: 10 },
    { name: 'other palette', uploaded: 0, bytes: 10 },
    { name: 'same in a second card', uploaded: 0, bytes: 10 },
    { name: 'second', uploaded: 1, bytes: 12 },
    { name: 'recoloured', uploaded: 1, bytes: 12 },
    { name: 'selection', uploaded: 1, bytes: 13 },
    { name: 'selection in a second card', uploaded: 1, bytes: 13 },
    { name: 'card gone', uploaded: 0, bytes: 11 },
  ]);
});

test('a lasso of many cells is found in a worker, and by the page where no worker may run', async () => {
  const question = async () => {
    const { map, data } = window as unknown as MapWindow;
    const cells = 60_000;
    const points = new map.Points(data.clusteredPositions(cells), { morton: true, missing: 0 });
    const lasso = new map.MapWorker(points);
    const polygon = Float32Array.of(0.1, 0.1, 0.9, 0.2, 0.4, 0.8);
    const expected = points.cellsIn(polygon).join();
    const answers = await Promise.all([lasso.select(polygon), lasso.select(polygon)]);
    const { bytes } = lasso;
    const interrupted = lasso.select(polygon);
    lasso.close();
    const end = await interrupted.then(
      () => 'found',
      (error: Error) => error.name,
    );
    return {
      right: answers.map((bits) => bits.join() === expected),
      bytes,
      end,
      any: /[1-9]/.test(expected),
    };
  };
  let workers = 0;
  page.on('worker', () => workers++);
  expect(await page.evaluate(question)).toEqual({
    right: [true, true],
    bytes: 240_000,
    end: 'AbortError',
    any: true,
  });
  expect(workers).toBe(1);

  expect(await withoutWorkers.evaluate(question)).toEqual({
    right: [true, true],
    bytes: 0,
    end: 'found',
    any: true,
  });
});
