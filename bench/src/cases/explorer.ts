import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { browserPath } from '../../../scripts/browser.mjs';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { newSession, openDatasetServer } from '../server/running-server.ts';

const genesPerCall = 20;

interface ExplorerSize {
  cells: number;
  genes: number;
  repeat: number;
  /** Maximum milliseconds from the click on a gene to its map with all cells. */
  geneLimit: number;
  images: number;
}

export function explorerCase(name: string, size: ExplorerSize): BenchCase {
  return {
    name,
    title:
      'the explorer in Chromium: opening it, a gene from click to map, typing meanwhile, memory of the tab',
    async run({ options, imported, report }) {
      const dataset = await imported(sizeOf(options, size));
      const rounds = options.repeat ?? size.repeat;
      const generatedImages = size.images;
      const genes = genesToDraw(dataset.model, rounds + 1 + generatedImages + genesPerCall);
      const server = await openDatasetServer(dataset);
      const browser = await chromium.launch({
        executablePath: browserPath(),
        args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
      });
      try {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        await signIn(context, server.address);
        const address = `${server.address}/explorer?${new URLSearchParams({ disease: 'Bench', dataset: dataset.id })}`;
        report('  opening');
        const opened = await openings(context, address, Math.min(rounds, 5) + 1);
        report('  genes');
        const page = await context.newPage();
        await page.goto(address);
        await usable(page);
        const mapTimes: MapTimes[] = [];
        for (const gene of genes.slice(0, rounds + 1)) mapTimes.push(await clickToMap(page, gene));
        const measured = mapTimes.slice(1);
        const { interactions, shift } = await webVitals(page);
        await page.close();
        const memory =
          generatedImages === 0 ? undefined : await memoryOfTab(context, address, genes.slice(rounds + 1));
        return {
          results: [
            {
              quantity: 'explorer usable after opening',
              unit: 's',
              ours: opened.map(({ usable: seconds }) => seconds),
              target: { kind: 'median-at-most', limit: 2 },
            },
            {
              quantity: 'first picture of the map after opening',
              unit: 's',
              ours: opened.map(({ map }) => map.first / 1000),
              target: { kind: 'median-at-most', limit: 1.5 },
            },
            {
              quantity: 'all its cells',
              unit: 's',
              ours: opened.map(({ map }) => map.all / 1000),
            },
            {
              quantity: 'gene from click to first picture of its map',
              unit: 'ms',
              ours: measured.map(({ first }) => first),
            },
            {
              quantity: 'to all its cells',
              unit: 'ms',
              ours: measured.map(({ all }) => all),
              target: { kind: 'median-at-most', limit: size.geneLimit },
            },
            {
              quantity: 'interaction to next paint',
              unit: 'ms',
              ours: interactions,
              target: { kind: 'each-at-most', limit: 100 },
            },
            ...(memory ? memoryResults(memory, generatedImages) : []),
          ],
          notes: [
            describe(dataset),
            `layout shift without input: ${shift.toFixed(4)}`,
            'every gene is drawn for the first time, as a map beside three others, painted on the processor',
            'the second genes are typed while the map of the first comes; interactions are those of the Event Timing API',
          ],
        };
      } finally {
        await browser.close();
        await server.close();
      }
    },
  };
}

function memoryResults({ before, after }: { before: number; after: number }, images: number): Result[] {
  return [
    { quantity: 'memory of the tab before', unit: 'MiB', ours: [before / mebibyte] },
    {
      quantity: `after ${images} images`,
      unit: 'MiB',
      ours: [after / mebibyte],
      target: { kind: 'each-at-most', limit: Math.round((before * 12) / mebibyte) / 10 },
    },
  ];
}

function describe({ size }: ImportedDataset): string {
  return `${size.cells} cells × ${size.genes} genes`;
}

async function signIn(context: BrowserContext, address: string): Promise<void> {
  const session = await newSession(address);
  const stored = { text: JSON.stringify(session), userId: session.user.id };
  await context.addInitScript(({ text, userId }) => {
    localStorage.setItem('cellfolio-auth', text);
    localStorage.setItem(`cellfolio:tour:${userId}`, 'seen');
    const vitals: { interactions: number[]; shift: number } = { interactions: [], shift: 0 };
    const painted = new WeakMap<HTMLCanvasElement, { first: number; last: number }>();
    Object.assign(globalThis, { vitals, painted });
    for (const name of ['putImageData', 'drawImage'] as const) {
      const paint = CanvasRenderingContext2D.prototype[name] as (...args: unknown[]) => void;
      CanvasRenderingContext2D.prototype[name] = function (
        this: CanvasRenderingContext2D,
        ...args: unknown[]
      ) {
        paint.apply(this, args);
        const last = performance.now();
        painted.set(this.canvas, { first: painted.get(this.canvas)?.first ?? last, last });
      };
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId) vitals.interactions.push(entry.duration);
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) vitals.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  }, stored);
}

interface MapTimes {
  first: number;
  all: number;
}

/**
 * Milliseconds since the navigation or the last click until a map of the viewer was first painted, and until it was at
 * rest.
 */
function mapTimes(page: Page, name: string, since: 'opening' | 'click'): Promise<MapTimes> {
  return page.evaluate(
    ({ start, from }) =>
      new Promise<MapTimes>((done) => {
        let began = 0;
        if (from === 'click')
          addEventListener('click', ({ timeStamp }) => (began = timeStamp), { capture: true, once: true });
        const { painted } = globalThis as unknown as {
          painted: WeakMap<HTMLCanvasElement, { first: number; last: number }>;
        };
        const look = () => {
          const canvas = [
            ...document.querySelectorAll<HTMLCanvasElement>('[aria-label="Main Viewer"] canvas'),
          ].find((one) => one.ariaLabel?.startsWith(start));
          const times = canvas && painted.get(canvas);
          // Slices of a picture follow each other within milliseconds.
          if (times === undefined || performance.now() - times.last < 500) return void setTimeout(look, 10);
          done({ first: times.first - began, all: times.last - began });
        };
        look();
      }),
    { start: name, from: since },
  );
}

interface Opening {
  /** Seconds until a gene can be entered and the cells are counted. */
  usable: number;
  map: MapTimes;
}

async function openings(context: BrowserContext, address: string, times: number): Promise<Opening[]> {
  const opened: Opening[] = [];
  for (let time = 0; time < times; time++) {
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await usable(page);
    const seconds = (performance.now() - started) / 1000;
    opened.push({ usable: seconds, map: await mapTimes(page, '', 'opening') });
    await page.close();
  }
  return opened.slice(1);
}

async function usable(page: Page): Promise<void> {
  await page.getByText(/^[\d,]+ cells active$/).waitFor();
  await page.getByRole('combobox', { name: 'Search genes' }).waitFor();
}

async function clickToMap(page: Page, gene: string): Promise<MapTimes> {
  const box = page.getByRole('combobox', { name: 'Search genes' });
  await box.fill(gene);
  await box.press('Enter');
  const shown = mapTimes(page, gene, 'click');
  await page.getByRole('button', { name: /^Visualize Selected Genes/ }).click();
  await box.pressSequentially('CD3', { delay: 20 });
  const times = await shown;
  await box.fill('');
  await page
    .getByRole('button', { name: `Remove ${gene}`, exact: true })
    .first()
    .click();
  return times;
}

interface WebVitals {
  interactions: number[];
  shift: number;
}

async function webVitals(page: Page): Promise<WebVitals> {
  return page.evaluate(() => (globalThis as unknown as { vitals: WebVitals }).vitals);
}

async function memoryOfTab(
  context: BrowserContext,
  address: string,
  genes: readonly string[],
): Promise<{ before: number; after: number }> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(address);
  await usable(page);
  await generate(page, genes.slice(0, genesPerCall));
  await deleteAll(page);
  const before = await heapOf(session);
  for (let from = genesPerCall; from < genes.length; from += genesPerCall)
    await generate(page, genes.slice(from, from + genesPerCall));
  await deleteAll(page);
  const after = await heapOf(session);
  await page.close();
  return { before, after };
}

async function generate(page: Page, genes: readonly string[]): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Search genes' });
  await box.fill(genes.join(','));
  await box.press('Enter');
  await page.getByRole('button', { name: `Visualize Selected Genes (${genes.length})` }).click();
  await page
    .getByRole('button', { name: new RegExp(`^Delete ${genes.at(-1)}`) })
    .or(page.getByRole('button', { name: new RegExp(`^Delete ${genes[0]}`) }))
    .first()
    .waitFor({ timeout: 120_000 });
  for (const gene of genes)
    await page
      .getByRole('button', { name: `Remove ${gene}`, exact: true })
      .first()
      .click();
}

async function deleteAll(page: Page): Promise<void> {
  const button = page
    .getByRole('region', { name: 'Image Library' })
    .getByRole('button', { name: /^Delete / });
  for (let left = 40; left > 0 && (await button.count()) > 0; left--) {
    await button.first().click();
    await page.waitForTimeout(50);
  }
  if ((await button.count()) > 0) throw new Error('the images could not be deleted');
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}
