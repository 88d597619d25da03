import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { openAnalysisServer } from '../server/analysis-contenders.ts';
import { type BenchCase, type ImportedDataset, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import { newSession } from '../server/running-server.ts';

const defaultSize = { cells: 100_000, genes: 20_000 };
const genesPerCall = 20;
/** Images generated and deleted to find memory leaks of the tab. */
const generatedImages = 200;

/** The explorer in a browser: waiting times and memory of the tab. Needs the built web app. */
export const explorerCase: BenchCase = {
  name: 'explorer',
  title:
    'the explorer in Chromium: opening it, a gene from click to image, typing meanwhile, memory of the tab',
  async run({ options, imported, report }) {
    const dataset = await imported(sizeOf(options, defaultSize));
    const rounds = options.repeat ?? 15;
    const genes = genesToDraw(dataset.model, rounds + 1 + generatedImages + genesPerCall);
    const server = await openAnalysisServer(dataset);
    const browser = await chromium.launch({
      executablePath: process.env['CELLFOLIO_CHROMIUM'] ?? '/usr/bin/chromium',
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
      const drawn: number[] = [];
      for (const gene of genes.slice(0, rounds + 1)) drawn.push(await clickToImage(page, gene));
      const { interactions, shift } = await webVitals(page);
      await page.close();
      report(`  ${generatedImages} images`);
      const memory = await memoryOfTab(context, address, genes.slice(rounds + 1));
      return {
        results: [
          {
            quantity: 'explorer usable after opening',
            unit: 's',
            ours: opened,
            target: { kind: 'median-at-most', limit: 2 },
          },
          {
            quantity: 'gene from click to image',
            unit: 'ms',
            ours: drawn.slice(1),
            target: { kind: 'median-at-most', limit: 300 },
          },
          {
            quantity: 'interaction to next paint',
            unit: 'ms',
            ours: interactions,
            target: { kind: 'each-at-most', limit: 100 },
          },
          { quantity: 'memory of the tab before', unit: 'MiB', ours: [memory.before / mebibyte] },
          {
            quantity: `after ${generatedImages} images`,
            unit: 'MiB',
            ours: [memory.after / mebibyte],
            target: { kind: 'each-at-most', limit: Math.round((memory.before * 12) / mebibyte) / 10 },
          },
        ],
        notes: [
          describe(dataset),
          `layout shift without input: ${shift.toFixed(4)}`,
          'every gene is drawn for the first time; images are 1200 × 1000 pixels and shown beside three others',
          'further genes are typed while an image is loading; interactions are those of the Event Timing API',
        ],
      };
    } finally {
      await browser.close();
      await server.close();
    }
  },
};

function describe({ size }: ImportedDataset): string {
  return `${size.cells} cells × ${size.genes} genes`;
}

async function signIn(context: BrowserContext, address: string): Promise<void> {
  const session = JSON.stringify(await newSession(address));
  await context.addInitScript((text) => {
    localStorage.setItem('cellfolio-auth', text);
    const vitals: { interactions: number[]; shift: number } = { interactions: [], shift: 0 };
    Object.assign(globalThis, { vitals });
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
  }, session);
}

/** Seconds until a gene can be typed and the cells are counted, with a warm browser cache. */
async function openings(context: BrowserContext, address: string, times: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time++) {
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await usable(page);
    seconds.push((performance.now() - started) / 1000);
    await page.close();
  }
  return seconds.slice(1);
}

async function usable(page: Page): Promise<void> {
  await page.getByText(/^[\d,]+ cells active$/).waitFor();
  await page.getByRole('combobox', { name: 'Search genes' }).waitFor();
}

/** Milliseconds from the click to the painted image, measured in the page. */
async function clickToImage(page: Page, gene: string): Promise<number> {
  const box = page.getByRole('combobox', { name: 'Search genes' });
  await box.fill(gene);
  await box.press('Enter');
  const shown = page.evaluate(
    (name) =>
      new Promise<number>((done) => {
        let clicked = 0;
        addEventListener('click', ({ timeStamp }) => (clicked = timeStamp), { capture: true, once: true });
        const look = () => {
          const image = [
            ...document.querySelectorAll<HTMLImageElement>('[aria-label="Main Viewer"] img'),
          ].find(
            ({ alt, complete, naturalWidth }) => alt.startsWith(`${name},`) && complete && naturalWidth > 0,
          );
          if (image === undefined) return requestAnimationFrame(look);
          // It is painted after two frames.
          return void image
            .decode()
            .then(() => requestAnimationFrame(() => requestAnimationFrame((now) => done(now - clicked))));
        };
        requestAnimationFrame(look);
      }),
    gene,
  );
  await page.getByRole('button', { name: /^Visualize Selected Genes/ }).click();
  await box.pressSequentially('CD3', { delay: 20 });
  const milliseconds = await shown;
  await box.fill('');
  await page
    .getByRole('button', { name: `Remove ${gene}`, exact: true })
    .first()
    .click();
  return milliseconds;
}

interface WebVitals {
  readonly interactions: number[];
  readonly shift: number;
}

async function webVitals(page: Page): Promise<WebVitals> {
  return page.evaluate(() => (globalThis as unknown as { vitals: WebVitals }).vitals);
}

/** Heap of the tab after a few images, and after many more were generated and deleted. */
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
