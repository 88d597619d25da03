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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { isCategorical } from '@cellfolio/model';
import { cellTypePalette, expressionRamp, recognisedCellType } from '@cellfolio/figures';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { browserPath } from '../../scripts/browser.mjs';

const [address, objects] = process.argv.slice(2);
if (address === undefined || objects === undefined) {
  console.error('Give the address of a running demo server and the objects folder of its data folder.');
  process.exit(2);
}
const web = (path: string) => fileURLToPath(new URL(`../../apps/web/${path}`, import.meta.url));
const dataset = 'demo-breast-triple-negative.h5ad';
/** The smaller one is for phones of 390 to 412 points at about 1.75 pixels per point. */
const widths = { large: 1200, small: 720 } as const;

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
  name: string;
  width: number;
  height: number;
  summary: string;
}

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

interface DemoAccount {
  tier: string;
  email: string;
  password: string;
}

interface MadeFigure {
  name: string;
  png: Uint8Array;
  summary: string;
}

interface Plot {
  image: { value: string };
  figure: { summary?: string };
  plot_type?: string;
}

async function analysisApi(address: string, dataset: string): Promise<MadeFigure[]> {
  const config = (await (await fetch(`${address}/config.json`)).json()) as {
    apiKey: string;
    publishableKey: string;
    demoAccounts: DemoAccount[];
  };
  const account = config.demoAccounts.find(({ tier }) => tier === 'professional');
  if (account === undefined) throw new Error('The server is not a demo.');
  const signedIn = await fetch(`${address}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: config.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: account.password }),
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = {
    'x-api-key': config.apiKey,
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
    'x-session-id': 'site-figures',
  };
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(address + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };

  const opened = await call<{ umap_url: string; cell_count: number; gene_count: number }>(
    `/api/dataset_analysis/${dataset}`,
  );
  const umap = await fetch(new URL(opened.umap_url, address));
  const genes = await call<{ plots: Plot[] }>('/api/plot-umap-with-genes', {
    genes: ['EPCAM'],
    violin_plot: true,
  });
  const exhaustion = ['PDCD1', 'LAG3', 'HAVCR2', 'TIGIT', 'CTLA4', 'TOX', 'CXCL13'];
  const signature = await call<{ plots: Plot[] }>('/api/plot-signature-enrichment', {
    genes: exhaustion,
    score_name: 'T cell exhaustion',
    violin_plot: true,
  });
  const state = await call<{ plots: Plot[] }>('/api/plot-umap-with-cell-state', {
    cell_state: 'HYPOXIA',
    violin_plot: false,
  });
  const isolated = await call<{ plots: Plot[] }>('/api/plot-isolated-cell-types', {
    cell_types: ['T cell'],
    leiden_clusters: [],
  });
  const markers = await call<{ dotplot_image: string; marker_csv: string }>('/api/perform-marker-analysis', {
    groupby: 'cell_type',
    n_genes: 3,
    pvals_adj: 0.05,
    logfoldchanges: 0.25,
  });
  const cycling = ['MKI67', 'TOP2A', 'CCNB1', 'CDK1', 'BIRC5', 'UBE2C', 'PCNA', 'MCM2', 'TYMS', 'CENPF'];
  const pathways = await call<{ barplot_image: string }>('/api/perform-pathway-analysis', {
    pathway_genes: cycling,
    library_name: 'MSigDB_Hallmark_2020',
  });
  const bytes = (value: string) => Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
  const plot = (name: string, plots: readonly Plot[], type: string): MadeFigure => {
    const match = plots.find(({ plot_type = 'umap' }) => plot_type === type);
    if (match === undefined) throw new Error(`There is no ${type} for ${name}.`);
    return { name, png: bytes(match.image.value), summary: match.figure.summary ?? '' };
  };
  return [
    {
      name: 'cell-types',
      png: new Uint8Array(await umap.arrayBuffer()),
      summary: `${opened.cell_count.toLocaleString('en-US')} cells, ${opened.gene_count.toLocaleString('en-US')} genes`,
    },
    plot('gene', genes.plots, 'umap'),
    plot('gene-violin', genes.plots, 'violin'),
    plot('signature', signature.plots, 'umap'),
    plot('signature-violin', signature.plots, 'violin'),
    plot('cell-state', state.plots, 'umap'),
    plot('isolated', isolated.plots, 'umap'),
    { name: 'markers', png: bytes(markers.dotplot_image), summary: '' },
    { name: 'enrichment', png: bytes(pathways.barplot_image), summary: '' },
  ];
}

interface BannerCells {
  /**
   * Concatenated arrays: x and y of each cell as uint16 (0 to 65,535 over the larger of the two extents, both centred),
   * its cell type as uint8 (place in `cellTypes`), then for each gene its expression as uint8 (255 is `highest`).
   */
  cells: Uint8Array;
  description: {
    dataset: string;
    count: number;
    cellTypes: readonly string[];
    genes: readonly string[];
    ramp: readonly string[];
  };
}

async function bannerCells(objects: string, id: string, symbols: readonly string[]): Promise<BannerCells> {
  const dataset = await openDataset(new FileObjectStore(objects), id);
  const { values, dimensions } = await dataset.embedding('X_umap');
  const type = await dataset.obs('cell_type');
  if (!isCategorical(type)) throw new Error('cell_type is not categorical');
  const cellTypes = Object.keys(cellTypePalette);
  const count = values.length / dimensions;
  const order = shuffled(count);
  const place = new Uint16Array(2 * count);
  const [left, right, bottom, top] = extent(values, dimensions);
  const span = Math.max(right - left, top - bottom);
  const types = new Uint8Array(count);
  order.forEach((cell, i) => {
    const x = (values[cell * dimensions]! - (left + right) / 2) / span + 0.5;
    const y = (values[cell * dimensions + 1]! - (bottom + top) / 2) / span + 0.5;
    // Twelve of sixteen bits: finer than a pixel, and better to compress.
    place[2 * i] = Math.round(x * 4095) * 16;
    place[2 * i + 1] = Math.round(y * 4095) * 16;
    const name = recognisedCellType(type.categories[type.codes[cell]!]!);
    types[i] = cellTypes.indexOf(name ?? '');
  });
  const expression: Uint8Array[] = [];
  for (const symbol of symbols) {
    const row = dataset.genes.symbols.indexOf(symbol);
    if (row < 0) throw new Error(`there is no gene ${symbol}`);
    const gene = await dataset.gene(row);
    const dense = new Float32Array(count);
    gene.cells.forEach((cell, k) => (dense[cell] = gene.values[k]!));
    const highest = dense.reduce((a, b) => Math.max(a, b), 0);
    // Sixteen steps suffice for a banner.
    expression.push(Uint8Array.from(order, (cell) => Math.round((15 * dense[cell]!) / highest) * 17));
  }
  const ramp = [0, 0.25, 0.5, 0.75, 1].map(
    (t) => expressionRamp[Math.round(t * (expressionRamp.length - 1))]!,
  );
  return {
    cells: Buffer.concat([Buffer.from(place.buffer), types, ...expression]),
    description: { dataset: dataset.manifest.catalogue.name, count, cellTypes, genes: symbols, ramp },
  };
}

function extent(values: ArrayLike<number>, dimensions: number): [number, number, number, number] {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < values.length; at += dimensions) {
    left = Math.min(left, values[at]!);
    right = Math.max(right, values[at]!);
    bottom = Math.min(bottom, values[at + 1]!);
    top = Math.max(top, values[at + 1]!);
  }
  return [left, right, bottom, top];
}

/** Cells in a deterministic random order, so that no type hides another. */
function shuffled(count: number): number[] {
  let state = 20_250_101;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
