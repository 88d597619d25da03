import { gzipSync } from 'node:zlib';
import { expect, type Locator, type Page } from '@playwright/test';
import { sessionOf, signInAs } from './accounts.ts';
import { demoAccount } from './test.ts';

/**
 * Signs in with the plan that may upload, as if the browser had stored the session, from the page's next navigation on.
 */
export async function becomeProfessional(page: Page): Promise<void> {
  await signInAs(page, { session: await sessionOf(await demoAccount(page.request, 'professional')) });
}

export async function openUploads(page: Page): Promise<void> {
  await becomeProfessional(page);
  await page.goto('/upload-data');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
}

export interface TestUpload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function fileOf(name: string, content: string | Buffer): TestUpload {
  return { name, mimeType: '', buffer: Buffer.from(content) };
}

export async function upload(page: Page, ...files: TestUpload[]): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(files);
  await page
    .getByRole('button', { name: files.length > 1 ? `Upload ${files.length} Files` : 'Upload File' })
    .click();
  for (const { name } of files) await expect(fileRow(page, name)).toBeVisible();
}

export function fileRow(page: Page, originalName: string): Locator {
  return page
    .getByRole('list', { name: 'Your files' })
    .getByRole('listitem')
    .filter({ has: page.getByText(originalName, { exact: true }) });
}

export const cellCount = 160;
const geneCount = 240;

interface Counts {
  barcodes: readonly string[];
  genes: readonly string[];
  /** Row after row, one for each gene. */
  rows: readonly (readonly number[])[];
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Cells of three types, each with marker genes; seeds of the other parity are another batch. */
function simulated(seed: number): Counts {
  const random = seeded(seed);
  const barcodes = Array.from(
    { length: cellCount },
    () => `${Array.from({ length: 16 }, () => 'ACGT'[Math.floor(random() * 4)]).join('')}-1`,
  );
  const genes = Array.from({ length: geneCount }, (_, gene) => `ENSG${String(gene).padStart(11, '0')}`);
  const rows = genes.map((_, gene) =>
    barcodes.map((_barcode, cell) => {
      const marker = gene % 8 === cell % 3 ? 9 : 1;
      const batch = gene % 8 === 4 + (seed % 2) ? 4 : 1;
      return Math.floor(-Math.log(1 - random()) * marker * batch);
    }),
  );
  return { barcodes, genes, rows };
}

export function countsTable(seed: number): Buffer {
  const { barcodes, genes, rows } = simulated(seed);
  const lines = [`gene,${barcodes.join()}`, ...rows.map((row, gene) => `${genes[gene]},${row.join()}`)];
  return gzipSync(`${lines.join('\n')}\n`);
}

/** The same counts as the three files of 10x Genomics. */
export function countsTrio(seed: number): { matrix: string; barcodes: string; features: string } {
  const { barcodes, genes, rows } = simulated(seed);
  const entries = rows.flatMap((row, gene) =>
    row.flatMap((count, cell) => (count === 0 ? [] : [`${gene + 1} ${cell + 1} ${count}`])),
  );
  const size = `${genes.length} ${barcodes.length} ${entries.length}`;
  return {
    matrix: `%%MatrixMarket matrix coordinate integer general\n${size}\n${entries.join('\n')}\n`,
    barcodes: `${barcodes.join('\n')}\n`,
    features: `${genes.map((id, gene) => `${id}\tGENE${gene}`).join('\n')}\n`,
  };
}
