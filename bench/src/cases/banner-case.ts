import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import type { BenchCase } from '../bench-context.ts';
import type { Result } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { startServing } from '../server/server-process.ts';

/** How long the cloud is watched. */
const watchedMilliseconds = 5000;

const variants = [
  { name: 'pages by the processor', flags: ['--disable-gpu-rasterization'] },
  { name: 'pages as by a graphics processor', flags: ['--enable-gpu-rasterization'] },
] as const;

interface Frames {
  /** Milliseconds from each frame to the next. */
  readonly between: number[];
  /** Milliseconds that the main thread worked for each. */
  readonly work: number[];
  readonly renderer: string;
}

/**
 * The living cloud of the landing page in Chromium. Machines of tests have no graphics processor, so the main one draws
 * it, less often: this is the slowest that anybody sees, and the most that it may take of the main thread. Needs the
 * built web app.
 */
export const bannerCase: BenchCase = {
  name: 'banner',
  title: 'the living cloud of the landing page: main thread for a frame, and time between frames',
  async run({ scratch, report, options }) {
    const dataDir = join(scratch, 'banner');
    const server = await startServing([process.execPath, paths.serverStart], {
      DATA_DIR: dataDir,
      DEMO: 'false',
      LOG_LEVEL: 'error',
    });
    const results: Result[] = [];
    const notes: string[] = [];
    try {
      for (const { name, flags } of variants) {
        report(`  ${name}`);
        const work: number[] = [];
        const between: number[] = [];
        for (let round = 0; round < (options.repeat ?? 1); round++) {
          const frames = await inBrowser(flags, (browser) => watch(browser, server.address));
          work.push(...frames.work);
          between.push(...frames.between);
          if (round === 0) notes.push(`${name}: drawn by ${frames.renderer}`);
        }
        results.push(
          {
            quantity: `main thread for a frame, ${name}`,
            unit: 'ms',
            ours: work,
            // Longer holds up what a reader does.
            target: { kind: 'median-at-most', limit: 16 },
          },
          {
            quantity: `from frame to frame, ${name}`,
            unit: 'ms',
            ours: between,
            // A quarter of a second is the longest that is planned, with half of that for a busy machine.
            target: { kind: 'median-at-most', limit: 375 },
          },
        );
        const seconds = between.reduce((sum, ms) => sum + ms, 0) / 1000;
        const busy = work.reduce((sum, ms) => sum + ms, 0) / 10 / seconds;
        notes.push(
          `${name}: ${(between.length / seconds).toFixed(1)} frames a second, ${busy.toFixed(0)} % of the main thread`,
        );
      }
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    return { results, notes };
  },
};

async function inBrowser<T>(flags: readonly string[], use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: process.env['CELLFOLIO_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      ...flags,
    ],
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Opens the landing page and times each frame of the cloud, which moves by itself. */
async function watch(browser: Browser, address: string): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    const seen: { at: number; work: number }[] = [];
    Object.assign(globalThis, { seen });
    const ask = requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (draw) =>
      ask((now) => {
        const began = performance.now();
        draw(now);
        seen.push({ at: now, work: performance.now() - began });
      });
  });
  await page.goto(address);
  await page.getByRole('button', { name: 'Pause animation' }).waitFor();
  await page.waitForTimeout(1000);
  return page.evaluate(async (milliseconds): Promise<Frames> => {
    const { seen } = globalThis as unknown as { seen: { at: number; work: number }[] };
    seen.length = 0;
    await new Promise((done) => setTimeout(done, milliseconds));
    const gl = document.createElement('canvas').getContext('webgl');
    const names = gl?.getExtension('WEBGL_debug_renderer_info');
    return {
      between: seen.slice(1).map(({ at }, i) => at - seen[i]!.at),
      work: seen.map(({ work }) => work),
      renderer: String(gl?.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER) ?? 'nothing'),
    };
  }, watchedMilliseconds);
}
