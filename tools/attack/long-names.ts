import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeH5ad } from '@cellfolio/ingest';
import { packStrings, type Table } from '@cellfolio/model';
import type { Attack, Attacker } from './attacker.ts';

const categories = 60;
const nameBytes = 1_000_000;
const cells = 6000;
const genes = 200;
const concurrency = 12;
const buildTimeoutMilliseconds = 180_000;

export const longNames: Attack = {
  name: 'long-names',
  title: `an own file of ${categories} categories of 1 MB each: inspected and built repeatedly, drawn by ${concurrency} concurrent calls`,
  async prepare(attacker) {
    const path = join(attacker.data.scratch, 'long-names.h5ad');
    await rm(path, { force: true });
    await writeLongNames(path);
    const file = `${attacker.data.userId}/long-names.h5ad`;
    await attacker.send('POST', `/storage/v1/object/user-files/${file}`, {
      body: await readFile(path),
      headers: { 'content-type': 'application/octet-stream', 'x-upsert': 'true' },
    });
    await addFile(attacker);
    await untilDone(attacker);
  },
  async run(attacker, signal) {
    const file = await fileId(attacker);
    if (file === undefined) return;
    const dataset = `custom:${file}`;
    await attacker.inParallel(concurrency, signal, async (lane, round) => {
      if (lane === 0) {
        await attacker.send('POST', `/api/files/${file}/${round % 2 ? 'build' : 'inspect'}`, {
          body: {},
          signal,
        });
        return sleep(2000);
      }
      const opened = await attacker.send('GET', `/api/dataset_analysis/${encodeURIComponent(dataset)}`, {
        signal,
      });
      if (opened.status !== 200) return sleep(250);
      const content =
        lane % 2
          ? { kind: 'category-umap' }
          : { kind: 'gene-violin', gene: `GENE${(lane * 31 + round) % genes}` };
      await attacker.send('POST', '/api/render-figure', {
        body: { source: { dataset_filename: dataset, content }, format: 'svg' },
        signal,
      });
      return attacker.send('GET', '/api/own-files', { signal });
    });
  },
};

/** Creates the row of the uploaded file, which starts its inspection. */
async function addFile(attacker: Attacker): Promise<void> {
  const { userId } = attacker.data;
  const filePath = `${userId}/long-names.h5ad`;
  await attacker.send('POST', '/rest/v1/user_files', {
    body: {
      user_id: userId,
      file_name: 'long-names.h5ad',
      original_filename: 'long-names.h5ad',
      file_path: filePath,
    },
  });
}

async function fileId(attacker: Attacker): Promise<string | undefined> {
  const { text } = await attacker.send('GET', '/rest/v1/user_files?select=id');
  return (JSON.parse(text || '[]') as { id: string }[])[0]?.id;
}

async function untilDone(attacker: Attacker): Promise<void> {
  for (const end = performance.now() + buildTimeoutMilliseconds; performance.now() < end; await sleep(1000)) {
    const { status, text } = await attacker.send('GET', '/api/own-files');
    if (status !== 200) continue;
    const { jobs } = JSON.parse(text) as { jobs: readonly { state: string }[] };
    if (jobs.length > 0 && jobs.every(({ state }) => state !== 'queued' && state !== 'running')) return;
  }
}

async function writeLongNames(path: string): Promise<void> {
  const obs: Table = {
    rowCount: cells,
    indexName: '_index',
    index: packStrings(Array.from({ length: cells }, (_, cell) => `cell-${cell}`)),
    columns: new Map([
      [
        'cell_type',
        {
          kind: 'categorical',
          codes: Int8Array.from({ length: cells }, (_, cell) => cell % categories),
          categories: Array.from({ length: categories }, (_, i) => `${i} ${'x'.repeat(nameBytes)}`),
          categoryType: 'string',
          ordered: false,
        },
      ],
      [
        'leiden',
        {
          kind: 'categorical',
          codes: Int8Array.from({ length: cells }, (_, cell) => cell % 10),
          categories: Array.from({ length: 10 }, (_, i) => String(i)),
          categoryType: 'string',
          ordered: false,
        },
      ],
    ]),
  };
  // Every tenth gene of a cell is expressed, shifted from cell to cell.
  const perCell = genes / 10;
  const indices = Int32Array.from(
    { length: cells * perCell },
    (_, i) => (i % perCell) * 10 + (Math.floor(i / perCell) % 10),
  );
  await writeH5ad(path, {
    obs,
    var: {
      rowCount: genes,
      indexName: '_index',
      index: packStrings(Array.from({ length: genes }, (_, gene) => `GENE${gene}`)),
      columns: new Map(),
    },
    obsm: [
      {
        name: 'X_umap',
        dimensions: 2,
        values: Float32Array.from({ length: 2 * cells }, (_, i) => Math.sin(i * 1.7) * 10),
      },
    ],
    X: {
      format: 'csr',
      dtype: 'float32',
      valueCount: indices.length,
      blocks: [
        {
          indptr: Float64Array.from({ length: cells + 1 }, (_, cell) => cell * perCell),
          indices,
          values: Float32Array.from(indices, (gene) => Math.log1p(1 + (gene % 7))),
        },
      ],
    },
  });
}
