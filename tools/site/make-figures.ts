/**
 * Creates the figures of the public pages and the cells of the banner from the demo catalogue, with calls of the API:
 *
 *     npm start                                  (in another terminal; it prints the address)
 *     node tools/site/make-figures.ts http://127.0.0.1:3000 data/objects
 *
 * The browser of the tests (scripts/browser.mjs) converts the figures to WebP in two widths, and draws the preview
 * image for shared links.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { browserPath } from '../../scripts/browser.mjs';
import { analysisApi, type MadeFigure } from './analysis-api.ts';
import { bannerCells, type BannerCells } from './banner-cells.ts';
import { join } from 'node:path';
import { cellTypePalette } from '@cellfolio/plots';
const [address, objects] = process.argv.slice(2);
if (address === undefined || objects === undefined) {
  console.error('Give the address of a running demo server and the objects folder of its data folder.');
  process.exit(2);
}
const web = (path: string) => fileURLToPath(new URL(`../../apps/web/${path}`, import.meta.url));
const dataset = 'demo-breast-triple-negative.h5ad';

const banner = await bannerCells(objects, dataset, ['EPCAM', 'CD3D', 'C1QB', 'COL1A1', 'MKI67']);
await writeFile(web('src/features/site/landing/banner-cells.bin'), banner.cells);
await writeFile(
  web('src/features/site/landing/banner-cells.json'),
  `${JSON.stringify(banner.description)}\n`,
);

const browser = await chromium.launch({
  executablePath: browserPath(),
  args: ['--no-sandbox'],
});
const folder = web('src/features/site/figures/files');
await mkdir(folder, { recursive: true });
const figures = await analysisApi(address, dataset);
const list = await packedFigures(await browser.newPage(), figures, folder);
await writeFile(`${folder}/figures.json`, `${JSON.stringify(list, undefined, 2)}\n`);
const inter = await readFile(
  new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
);
await writeFile(
  web('public/share.png'),
  await sharePicture(
    await browser.newPage(),
    banner,
    await readFile(web('public/favicon.svg'), 'utf8'),
    inter,
  ),
);
await browser.close();

interface PackedFigure {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly summary: string;
}

/** The smaller one is for phones of 390 to 412 points at about 1.75 pixels per point. */
const widths = { large: 1200, small: 720 } as const;

async function packedFigures(
  page: Page,
  figures: readonly MadeFigure[],
  folder: string,
): Promise<PackedFigure[]> {
  const list: PackedFigure[] = [];
  for (const { name, png, summary } of figures) {
    const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
    let size = { width: 0, height: 0 };
    for (const [kind, width] of Object.entries(widths)) {
      const packed = await page.evaluate(pack, { url, width });
      await writeFile(
        join(folder, kind === 'large' ? `${name}.webp` : `${name}-small.webp`),
        Buffer.from(packed.data, 'base64'),
      );
      if (kind === 'large') size = { width: packed.width, height: packed.height };
    }
    list.push({ name, ...size, summary });
  }
  return list;
}

/** Runs in the browser. Scales in halves, as one large step would drop points. */
async function pack({ url, width }: { url: string; width: number }) {
  const image = new Image();
  image.src = url;
  await image.decode();
  let canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  while (canvas.width > width) {
    const next = document.createElement('canvas');
    next.width = Math.max(width, Math.ceil(canvas.width / 2));
    next.height = Math.round((next.width * image.height) / image.width);
    const context = next.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(canvas, 0, 0, next.width, next.height);
    canvas = next;
  }
  const data = canvas.toDataURL('image/webp', 0.86).split(',')[1]!;
  return { data, width: canvas.width, height: canvas.height };
}

/** The preview image for shared links: name, slogan and the cells of the banner. PNG, 1200 × 630. */
async function sharePicture(
  page: Page,
  { cells, description }: BannerCells,
  mark: string,
  font: Uint8Array,
): Promise<Uint8Array> {
  await page.setViewportSize({ width: 1200, height: 630 });
  const place = new Uint16Array(cells.slice(0, 4 * description.count).buffer);
  const types = cells.subarray(4 * description.count, 5 * description.count);
  const palette = Object.values(cellTypePalette);
  const dots = Array.from(types, (type, i) => {
    const [x, y] = [place[2 * i]! / 65_535, 1 - place[2 * i + 1]! / 65_535];
    return `<circle cx="${(560 + 640 * x).toFixed(1)}" cy="${(-5 + 640 * y).toFixed(1)}" r="2.3" fill="${palette[type]}"/>`;
  });
  await page.setContent(`<!doctype html><style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${Buffer.from(font).toString('base64')}) }
    body { margin: 0; width: 1200px; height: 630px; background: #f7f8fa; color: #16191f; font-family: Inter; position: relative; overflow: hidden }
    svg.cells { position: absolute; inset: 0; opacity: 0.9 }
    .name { position: absolute; left: 72px; top: 64px; display: flex; gap: 16px; align-items: center; font-size: 34px; font-weight: 600; letter-spacing: -0.02em }
    .name svg { width: 48px; height: 48px }
    h1 { position: absolute; left: 72px; bottom: 56px; margin: 0; width: 560px; font-size: 68px; line-height: 1.04; font-weight: 600; letter-spacing: -0.035em }
  </style><svg class="cells" viewBox="0 0 1200 630">${dots.join('')}</svg><div class="name">${mark}Cellfolio</div><h1>See any gene in every cell.</h1>`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ type: 'png' });
}
