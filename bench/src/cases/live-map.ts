import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { browserPath, softwareWebglArguments } from '../../../scripts/browser.mjs';
import type * as mapPackage from '@cellfolio/map';
import { serveMap, type ServedMap } from '@cellfolio/map/testing';
import type { BenchCase } from '../bench-context.ts';
import type * as ours from '../live-map/measure-ours.ts';
import type * as peer from '../live-map/measure-peer.ts';
import type * as data from '../live-map/page-cells.ts';
import { median, type Result } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { PeerUnavailable } from '../python-environment.ts';

/** The peer with its dependencies, all MIT. */
const pins = ['regl-scatterplot@1.16.0', 'regl@2.1.1', 'pub-sub-es@3.0.0'];

/** Files of regl-scatterplot by their address in the page, installed under .cache on first use. Throws PeerUnavailable. */
async function peerFiles(report: (line: string) => void): Promise<ReadonlyMap<string, URL>> {
  const folder = join(paths.cache, `bench-${pins[0]!.replace('@', '-')}`);
  const files = {
    '/regl-scatterplot.js': 'regl-scatterplot/dist/regl-scatterplot.esm.js',
    '/regl.js': 'regl/dist/regl.js',
    '/pub-sub-es.js': 'pub-sub-es/dist/index.js',
  };
  const located = Object.entries(files).map(
    ([at, path]) => [at, join(folder, 'node_modules', path)] as const,
  );
  if (!located.every(([, path]) => existsSync(path))) {
    report(`  installing ${pins.join(', ')} into ${folder} (once)`);
    await mkdir(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...pins];
    const { status, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', cwd: folder });
    if (status !== 0) throw new PeerUnavailable(`npm ${args.join(' ')} failed:\n${stderr}`, { cause: error });
  }
  return new Map(located.map(([at, path]) => [at, pathToFileURL(path)]));
}

/** The import map of the page; `regl` is a script. */
const peerImports = {
  regl: 'data:text/javascript,export default globalThis.createREGL',
  'pub-sub-es': '/pub-sub-es.js',
};

interface Modules {
  map: typeof mapPackage;
  ours: typeof ours;
  peer: typeof peer;
  cells: data.PageCells;
  create: peer.CreateScatterplot;
}

type Side = 'cpu' | 'webgl' | 'peer';

/** Bytes per cell of the first map, and of each further one. */
interface Memory {
  first: number;
  further: number;
}

const bounds = {
  100_000: { first: 1500, recolour: 200 },
  1_000_000: { first: 1500, recolour: 500 },
};

export function liveMapCase(name: string, usual: { cells: keyof typeof bounds; repeat: number }): BenchCase {
  return {
    name,
    title:
      'the live map in Chromium, 700 × 600; peer: regl-scatterplot 1.16, same points (WebGL in software)',
    async run({ options, peer: comparing, report }) {
      const cells = options.cells ?? usual.cells;
      const rounds = options.repeat ?? usual.repeat;
      const others = comparing ? await peerOrNone(report) : undefined;
      // By the addresses that their relative imports have in the page.
      const sources = [
        ...['measure-ours.ts', 'measure-peer.ts', 'page-cells.ts'].map(
          (file) => [`/${file}`, new URL(`../live-map/${file}`, import.meta.url)] as const,
        ),
        ['/data/seeded-bits.ts', new URL('../data/seeded-bits.ts', import.meta.url)] as const,
      ];
      const served = await serveMap(new Map([...sources, ...(others ?? [])]));
      const browser = await launch();
      try {
        const measured = new Map<Side, ours.Times & { memory: Memory }>();
        for (const side of ['cpu', 'webgl', ...(others ? (['peer'] as const) : [])] as const) {
          report(`  ${side}`);
          const slow = side === 'cpu' ? rounds : Math.min(3, rounds);
          const times = await inPage(browser, served, { cells, side }, (page) => timesOf(page, side, slow));
          const memory = await inPage(browser, served, { cells, side }, (page) =>
            memoryOf(page, side, cells),
          );
          measured.set(side, { ...times, memory });
        }
        return { results: resultsOf(measured, bounds[usual.cells]), notes: notesOf(measured, cells) };
      } finally {
        await browser.close();
        await served.close();
      }
    },
  };
}

async function peerOrNone(report: (line: string) => void) {
  try {
    return await peerFiles(report);
  } catch (error) {
    if (!(error instanceof PeerUnavailable)) throw error;
    report(`\n!! WITHOUT THE PEER: ${error.message}\n`);
    return undefined;
  }
}

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: softwareWebglArguments });
}

async function inPage<T>(
  browser: Browser,
  { address }: ServedMap,
  { cells, side }: { cells: number; side: Side },
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 800, height: 700 } });
  try {
    page.setDefaultTimeout(0);
    await page.addInitScript(countGraphicsMemory);
    await page.goto(address);
    if (side === 'peer') {
      await page.evaluate((imports) => {
        const map = Object.assign(document.createElement('script'), { type: 'importmap' });
        map.textContent = JSON.stringify({ imports });
        document.head.append(map);
      }, peerImports);
      await page.addScriptTag({ url: '/regl.js' });
    }
    await page.evaluate(
      async ({ count, withPeer }) => {
        const load = (path: string): Promise<unknown> => import(path);
        const { pageCells } = (await load('/page-cells.ts')) as typeof data;
        Object.assign(window, {
          map: await load('/index.ts'),
          ours: await load('/measure-ours.ts'),
          peer: await load('/measure-peer.ts'),
          cells: pageCells(count),
          ...(withPeer && { create: ((await load('/regl-scatterplot.js')) as { default: unknown }).default }),
        });
      },
      { count: cells, withPeer: side === 'peer' },
    );
    return await measure(page);
  } finally {
    await page.close();
  }
}

function timesOf(page: Page, side: Side, rounds: number): Promise<ours.Times> {
  return page.evaluate(
    ({ engine, times }) => {
      const { map, ours, peer, cells, create } = window as unknown as Modules;
      return engine === 'peer'
        ? peer.measurePeer(create, cells, { rounds: times })
        : ours.measureOurs(map, cells, { engine, rounds: times });
    },
    { engine: side, times: rounds },
  );
}

/** JS heap, array buffers and graphics memory per cell, without the input. */
async function memoryOf(page: Page, side: Side, cells: number): Promise<Memory> {
  const session = await page.context().newCDPSession(page);
  const before = await bytesOf(page, session);
  await page.evaluate(async (engine) => {
    const { map, ours, peer, cells, create } = window as unknown as Modules;
    if (engine === 'peer') {
      const columns = peer.peerColumns(cells);
      Object.assign(window, { holder: { columns, shown: [await peer.openPeer(create, columns)] } });
    } else {
      const positions = cells.positions.slice();
      const own = { ...cells, positions, clusters: cells.clusters.slice() };
      const opened = ours.openOurs(map, own, engine);
      await opened.renderer.settled();
      await opened.worker.select(cells.lasso);
      Object.assign(window, { holder: { opened } });
    }
  }, side);
  const one = await bytesOf(page, session);
  await page.evaluate(async (engine) => {
    const { ours, peer, cells, create, holder } = window as unknown as Modules & {
      holder: { opened: ours.OurMap; columns: ReturnType<typeof peer.peerColumns>; shown: unknown[] };
    };
    if (engine === 'peer')
      holder.shown.push(await peer.openPeer(create, { ...holder.columns, z: holder.columns.z.slice() }));
    else {
      ours.addCard(holder.opened, cells.clusters.slice());
      await holder.opened.renderer.settled();
    }
  }, side);
  const two = await bytesOf(page, session);
  // Rounded, as a canvas and its objects take a few hundred bytes for any number of cells.
  const perCell = (bytes: number) => Math.round((10 * bytes) / cells) / 10;
  return { first: perCell(one - before), further: perCell(two - one) };
}

/** Includes the worker's copy of the positions, without pixels of canvases. */
async function bytesOf(page: Page, session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as unknown as Record<string, number>;
  const own = await page.evaluate(() => {
    const { holder } = window as unknown as { holder?: { opened?: ours.OurMap } };
    return window.graphicsBytes() + (holder?.opened?.worker.bytes ?? 0);
  });
  return usage['usedSize']! + (usage['backingStorageSize'] ?? 0) + own;
}

function resultsOf(
  measured: ReadonlyMap<Side, ours.Times & { memory: Memory }>,
  bound: { first: number; recolour: number },
): Result[] {
  const [cpu, webgl, other] = [measured.get('cpu')!, measured.get('webgl')!, measured.get('peer')];
  const time = (quantity: string, key: Exclude<keyof ours.Times, 'selected'>, limit?: number): Result => ({
    quantity,
    unit: 'ms',
    ours: cpu[key],
    peer: other?.[key],
    target: limit === undefined ? undefined : { kind: 'median-at-most', limit },
  });
  const memory = (quantity: string, key: keyof Memory, limit: number): Result => ({
    quantity,
    unit: 'bytes',
    ours: [webgl.memory[key]],
    peer: other && [other.memory[key]],
    target: { kind: 'each-at-most', limit },
  });
  return [
    time('arrays in memory to an image of all cells', 'first', bound.first),
    time('recolored by another column', 'recolour', bound.recolour),
    time('a second map', 'second'),
    time('frame while it moves (ours: 200,000 cells)', 'moving', 50),
    time('all cells when it stops', 'rest'),
    time('longest task while it moves and stops, four maps (peer: one)', 'panBlocked', 50),
    time('cell under the pointer', 'hover', 1),
    time('lasso of a fifth of the cells', 'lasso', 50),
    time('longest task during a lasso', 'lassoBlocked', 50),
    memory('memory per cell, WebGL, with its lasso', 'first', 16),
    memory('memory per cell of a further map, WebGL', 'further', 2),
    { quantity: 'memory per cell, processor', unit: 'bytes', ours: [cpu.memory.first] },
    { quantity: 'WebGL in software: all cells', unit: 'ms', ours: webgl.rest },
    { quantity: 'WebGL in software: recolored', unit: 'ms', ours: webgl.recolour },
  ];
}

function notesOf(measured: ReadonlyMap<Side, ours.Times>, cells: number): string[] {
  const shares = [...measured].map(([side, { selected }]) => `${side} ${(100 * selected).toFixed(2)} %`);
  const blocked = median(measured.get('webgl')!.panBlocked).toFixed(0);
  return [
    `${cells} cells in twenty clusters; the lasso has 200 corners and selects: ${shares.join(', ')}`,
    'ours draws on the processor, as always without a graphics processor; the peer has WebGL only',
    `longest task with our WebGL in software: ${blocked} ms`,
    'longest tasks: 0 when the browser reports none over 50 ms and none was timed',
    'memory: JS heap, array buffers, WebGL buffers and textures, the copy of the worker; of pixels only ImageData',
  ];
}

declare global {
  interface Window {
    graphicsBytes(): number;
  }
}

/** Counts the bytes of WebGL buffers and textures. Runs in a page, before any WebGL context is created. */
function countGraphicsMemory(): void {
  const bufferSizes = new Map<object, number>();
  const bound = new WeakMap<object, Map<number, object | null>>();
  const sizeOf = (data: unknown): number =>
    typeof data === 'number' ? data : ((data as ArrayBufferView | null)?.byteLength ?? 0);
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const before = (name: string, note: (gl: object, args: never[]) => void) => {
      const methods = prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
      const original = methods[name]!;
      methods[name] = function (this: object, ...args: unknown[]) {
        note(this, args as never[]);
        return Reflect.apply(original, this, args);
      };
    };
    const bind = (gl: object, [target, object]: [number, object | null]) => {
      if (!bound.has(gl)) bound.set(gl, new Map());
      bound.get(gl)!.set(target, object);
    };
    const hold = (gl: object, target: number, bytes: number) => {
      const object = bound.get(gl)?.get(target);
      if (object) bufferSizes.set(object, bytes);
    };
    before('bindBuffer', bind as never);
    before('bindTexture', bind as never);
    before('bufferData', (gl, [target, data]) => hold(gl, target!, sizeOf(data)));
    before('texImage2D', (gl, args: unknown[]) => {
      if (args.length < 9) return;
      const [width, height, data] = [args[3] as number, args[4] as number, args[8]];
      hold(gl, args[0] as number, sizeOf(data) || 4 * width * height);
    });
    before('deleteBuffer', (_gl, [object]) => bufferSizes.delete(object!));
    before('deleteTexture', (_gl, [object]) => bufferSizes.delete(object!));
  }
  window.graphicsBytes = () => [...bufferSizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
