import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coExpressionAnswer, type TrajectoryAnswer, trajectoryAnswer } from '@cellfolio/contract';
import { importH5ad } from '@cellfolio/ingest';
import { noteDifferences } from '@cellfolio/model/testing';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { hasPbmc68k, importPbmc68k } from '../../testing/pbmc68k.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

interface OfScanpy {
  readonly root: string;
  readonly groupby: string;
  readonly groups: string[];
  readonly nearest: number;
  readonly eigenvalues: number[];
  readonly pseudotime: (number | null)[];
  readonly connectivities: number[][];
}

/** Written by fixtures/analysis/own_graph_reference.py with scanpy. */
const fixtures = join(import.meta.dirname, 'fixtures');
const { own, blood } = JSON.parse(readFileSync(join(fixtures, 'own-graph-reference.json'), 'utf8')) as Record<
  'own' | 'blood',
  OfScanpy
>;
const path = '/api/perform-trajectory-analysis';
const hasBlood = hasPbmc68k('a graph of real cells is not compared with scanpy');
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async (settings) => {
    await importH5ad({
      path: join(fixtures, 'own-graph.h5ad'),
      root: settings.objectRoot,
      id: 'own.h5ad',
      catalogue: {
        name: 'Own graph',
        disease: 'None',
        subdisease: 'None',
        category1: 'Healthy',
        category2: 'None',
        description: '',
        simulated: true,
      },
    });
    if (hasBlood) await importPbmc68k(settings);
  });
  api = apiClient(server, await server.signIn('professional'), 'own-graph');
});
beforeEach(() => open('own.h5ad'));

const open = (id: string) => api.get(`/api/dataset_analysis/${id}`);

async function order(body: object): Promise<TrajectoryAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return trajectoryAnswer.parse(answer);
}

function expectScanpy(answer: TrajectoryAnswer, reference: OfScanpy): void {
  const rows: Record<string, string>[] = parse(answer.cells_csv, {
    columns: true,
    comment: '#',
    comment_no_infix: true,
  });
  const times = rows.map((row) => Number(row['pseudotime']));
  const theirs = reference.pseudotime.map((time) => time ?? Infinity);
  expect(times).toHaveLength(theirs.length);
  noteDifferences('pseudotime', times, theirs, 1);
  times.forEach((time, cell) => expect(Math.abs(time - theirs[cell]!)).toBeLessThan(1e-4));
  noteDifferences('trajectory', answer.eigenvalues, reference.eigenvalues, 1);
  answer.eigenvalues.forEach((value, at) =>
    expect(Math.abs(value - reference.eigenvalues[at]!)).toBeLessThan(1e-6),
  );
  const found = new Map(answer.connectivities.map((edge) => [edge.groups.join('|'), edge.connectivity]));
  reference.groups.forEach((one, i) => {
    reference.groups.slice(i + 1).forEach((other, at) => {
      const expected = reference.connectivities[i]![i + 1 + at]!;
      expect(Math.abs((found.get(`${one}|${other}`) ?? 0) - expected)).toBeLessThan(1e-6);
    });
  });
}

test('a file with its own graph and no principal components is ordered as scanpy orders it', async () => {
  const root = { by: 'cell', barcode: own.root };
  const answer = await order({ groupby: own.groupby, root });
  expectScanpy(answer, own);
  const words =
    'neighbours of the file: 12 nearest cells of each, itself among them, by the distance "manhattan" in "X_latent"';
  expect(answer.neighbors).toContain(words);
  expect(answer.genes_csv).toContain('neighbours of the file');
  expect(answer.warnings.map(({ code }) => code)).not.toContain('path-not-checked');
});

test('a graph that is computed instead needs principal components', async () => {
  const { status, body } = await api.post(path, { groupby: own.groupby, graph: 'computed' });
  expect([status, body.code]).toEqual([422, 'no_components']);
});

test('modules of genes are found on the graph of the file as well', async () => {
  const asked = { min_module_genes: 5, max_genes: 20, fdr: 0.5 };
  const { status, body } = await api.post('/api/perform-co-expression-analysis', asked);
  expect([status, body.message]).toEqual([200, undefined]);
  expect(coExpressionAnswer.parse(body).neighbors).toContain(
    'neighbours of the file: 11 nearest other cells of each',
  );
});

test.runIf(hasBlood)('real cells are ordered on the graph of their file as scanpy orders them', async () => {
  await open('pbmc.h5ad');
  const root = { by: 'cell', barcode: blood.root };
  const answer = await order({ groupby: blood.groupby, root });
  expectScanpy(answer, blood);
  const computed = await order({ groupby: blood.groupby, root, graph: 'computed' });
  expect(computed.neighbors).toContain('neighbours computed here: 15 nearest cells');
  expect(computed.cells_csv).not.toBe(answer.cells_csv);
});

test.runIf(hasBlood)('of a subset the nearest cells are computed, and the reason is said', async () => {
  await open('pbmc.h5ad');
  const rows: Record<string, string>[] = parse((await order({ groupby: blood.groupby })).cells_csv, {
    columns: true,
    comment: '#',
    comment_no_infix: true,
  });
  const [first] = rows;
  const labels = [...new Set(rows.map((row) => row[blood.groupby]!))].filter(
    (label) => label !== first![blood.groupby],
  );
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'most',
    patient_metadata_filter: true,
    patient_metadata: { bulk_labels: labels },
  });
  const answer = await order({ groupby: blood.groupby });
  expect(answer.neighbors).toContain('neighbours computed here');
  expect(answer.neighbors).toContain('not the graph of the file, which is of all cells');
});
