import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import {
  cellsOf,
  hostileGenes,
  hostileNames,
  type HostileTruth,
  writeHostileH5ad,
} from '../../testing/hostile-dataset.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

const id = 'constructor.h5ad';
const fields = ['__proto__', 'hasOwnProperty', 'valueOf'];
let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let truth: HostileTruth;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot, dataDir }) => {
    await writeTinyDataset(objectRoot, 'tiny.h5ad');
    const file = join(dataDir, 'constructor.h5ad');
    truth = await writeHostileH5ad(file);
    const gmt = join(dataDir, 'toString.gmt');
    await writeFile(
      gmt,
      hostileNames.map((name) => [name, name, name, ...hostileGenes.slice(0, 8)].join('\t')).join('\n'),
    );
    const cellfolio = async (...words: string[]) =>
      expect(await runCommand(words, { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const roles = {
      '--cell-type-column': 'constructor',
      '--cluster-column': 'toString',
      '--symbol-column': 'constructor',
      '--embedding': 'constructor',
    };
    const catalogue = {
      '--name': 'toString',
      '--disease': '__proto__',
      '--subdisease': '__proto__',
      '--stage': 'valueOf',
      '--treatment': 'constructor',
    };
    const options = Object.entries({ ...catalogue, ...roles });
    for (const name of fields) options.push(['--metadata', `${name}=${name}`]);
    await cellfolio('dataset', 'add', file, '--expression', 'log1p', ...options.flat());
    for (const name of ['constructor', '__proto__']) {
      await cellfolio('genesets', 'add', gmt, '--name', name);
    }
  });
  api = apiClient(server, await server.signIn('standard'), 'hostile');
});

const open = async () => {
  const answer = await api.get(`/api/dataset_analysis/${id}`);
  expect(answer.status).toBe(200);
  return answer.body;
};
const countsOf = (codes: Int8Array) =>
  hostileNames.map((name) => [name, cellsOf(codes, name)]).filter(([, cells]) => cells !== 0);

test('the catalogue lists a dataset whose disease, columns and categories are named as properties of objects', async () => {
  const { status, body } = await api.get('/api/dataset_metadata');
  expect(status).toBe(200);
  const diseases = new Map(Object.entries<object>(body));
  expect([...diseases.keys()].sort()).toEqual(['Breast Cancer', '__proto__']);
  const [dataset] = new Map(
    Object.entries<Record<string, unknown>[]>(diseases.get('__proto__') as never),
  ).get('__proto__')!;
  expect(dataset).toMatchObject({ name: 'toString', stage: 'valueOf', cell_count: 300 });
  expect(Object.keys(dataset!['patient_metadata'] as object).sort()).toEqual([...fields].sort());
  expect((await api.get('/api/damaged-datasets')).body).toEqual({ datasets: [] });
});

test('each cell type, cluster, metadata value and gene is listed with its true number of cells', async () => {
  const body = await open();
  expect(Object.entries(body.cell_type_counts)).toEqual(countsOf(truth.cellType));
  expect(Object.entries(body.leiden_cluster_counts)).toEqual(countsOf(truth.cluster));
  expect(body.gene_library).toEqual(hostileGenes);
  for (const [field, values] of Object.entries<string[]>(body.patient_metadata)) {
    const codes = truth.metadata.get(field)!;
    expect(values).toEqual(countsOf(codes).map(([name]) => name));
  }
  const response = await api.get(`/api/gene-datasets?genes=${hostileNames.slice(0, 10).join(',')}`);
  expect(response.status).toBe(200);
  expect(
    response.body.genes.map((one: { gene: string; datasets: { expressing_cells: number }[] }) => [
      one.gene,
      one.datasets.map((dataset) => dataset.expressing_cells),
    ]),
  ).toEqual(hostileNames.slice(0, 10).map((gene, i) => [gene, [truth.expressing[i]]]));
});

describe.each(hostileNames)('the name %s', (name) => {
  test('chooses cells as a cell type, as a metadata value and as a gene', async () => {
    await open();
    const filter = async (part: object) =>
      (await api.post('/api/filter-active-dataset', { subset_group_name: name, ...part })).body;
    const byType = await filter({ cell_type_filter: true, cell_type: [name] });
    expect(byType.cell_count).toBe(cellsOf(truth.cellType, name));
    expect(new Map(Object.entries(byType.cell_type_counts)).get(name)).toBe(cellsOf(truth.cellType, name));
    for (const field of fields) {
      const byField = await filter({
        patient_metadata_filter: true,
        patient_metadata: Object.fromEntries([[field, [name]]]),
      });
      expect([field, byField.cell_count]).toEqual([field, cellsOf(truth.metadata.get(field)!, name)]);
    }
    const byGene = await filter({ gene_filter: true, gene: { name, presence: 'positive' } });
    expect(byGene.cell_count).toBe(truth.expressing[hostileNames.indexOf(name)]);
    const byScore = await filter({
      signature_filter: true,
      signature: { genes: [name, 'GENE1'], score_name: name, min_percentile: 50, max_percentile: 100 },
    });
    expect(byScore.cell_count).toBeGreaterThan(0);
  });

  test('is plotted as a gene, a cell type, a cluster and a signature', async () => {
    await open();
    const genes = await api.post('/api/plot-umap-with-genes', { genes: [name] });
    expect(genes).toMatchObject({ status: 200 });
    const types = await api.post('/api/plot-isolated-cell-types', {
      cell_types: [name],
      leiden_clusters: [name],
    });
    expect(types.body.plots).toMatchObject([{ cell_type: name, cell_count: cellsOf(truth.cellType, name) }]);
    const again = await api.post('/api/render-figure', { source: types.body.plots[0].source, format: 'svg' });
    expect(again.status).toBe(200);
    const score = await api.post('/api/plot-signature-enrichment', {
      score_name: name,
      genes: [name, 'GENE2'],
    });
    expect(score.status).toBe(200);
    expect(score.body.found_genes).toEqual([name, 'GENE2']);
  });
});

test.each(['constructor', 'toString', ...fields])('markers are grouped by the column %s', async (groupby) => {
  await open();
  const { status, body } = await api.post('/api/perform-marker-analysis', {
    groupby,
    pvals_adj: 1,
    logfoldchanges: -100,
  });
  expect(status).toBe(200);
  expect(body.parameters.groupby).toBe(groupby);
  const codes = new Map([
    ['constructor', truth.cellType],
    ['toString', truth.cluster],
    ...truth.metadata,
  ]).get(groupby)!;
  expect(body.groups.map((group: { name: string; cells: number }) => [group.name, group.cells])).toEqual(
    countsOf(codes),
  );
});

test.each(['constructor', '__proto__'])('a library %s with sets of such names is tested', async (library) => {
  await open();
  const { body: listed } = await api.get('/api/gene-set-libraries');
  expect(JSON.stringify(listed)).toContain(`"${library}"`);
  const { status, body } = await api.post('/api/perform-pathway-analysis', {
    pathway_genes: hostileGenes.slice(0, 8),
    library_name: library,
    // Names such as toString are written as symbols of mice are.
    species: 'mouse',
  });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('hasOwnProperty');
});

test('rows with such names in their JSON come back equal', async () => {
  const token = await server.signIn('standard');
  const user = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sub as string;
  const headers = {
    apikey: server.config.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    prefer: 'return=representation',
  };
  const bag = () => Object.fromEntries(hostileNames.map((name) => [name, [name]]));
  const filter_config = {
    activeFilterTypes: ['metadata'],
    metadataFilter: { selectedFields: hostileNames, patientMetadata: bag() },
  };
  const send = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${server.siteUrl}/rest/v1/${path}`, { headers, ...init });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown>[] };
  };
  for (const name of hostileNames) {
    const body = JSON.stringify({ user_id: user, subset_name: name, filter_config });
    expect((await send('subset_metadata', { method: 'POST', body })).status).toBe(201);
    const { body: rows } = await send(`subset_metadata?subset_name=eq.${name}`, {});
    expect(rows).toHaveLength(1);
    expect(sorted(rows[0]!['filter_config'])).toEqual(sorted(filter_config));
  }
});

/** Pairs instead of objects, so that a comparison includes every own name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => [name, sorted(own)]);
}
