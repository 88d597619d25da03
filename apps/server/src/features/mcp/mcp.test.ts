import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { KeyScope, ToolCallList } from '@cellfolio/contract';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostile, hostileGenes, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { writeCellModel } from '../../testing/cell-model.ts';
import { ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { runCommand } from '../../testing/run-command.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { connectTools, toolsOver } from './testing/connect-tools.ts';

let server: TestServer;
let ownId = '';
const tokens = { ada: '', bob: '' };
let key = '';

beforeAll(async () => {
  server = await startTestServer(
    { DEMO: 'false', DEMO_DATASET: 'demo.h5ad', CELL_MODEL_DIR: await writeCellModel() },
    async ({ dataDir, objectRoot }) => {
      await prepareOwners(dataDir, async ({ addUser, addFile, holdJobs, database }) => {
        const file = await addFile(await addUser('ada', 'Professional'), 'hers.h5ad');
        await addUser('bob', 'Standard');
        await holdJobs();
        const row =
          'insert into cellfolio.custom_datasets (file_id, version, cells, genes) values ($1, $2, 240, 100)';
        await database.pool.query(row, [file, 'v']);
        ownId = `custom:${file}`;
      });
      await writeAnalysisDataset(objectRoot, 'cells.h5ad');
      await writeAnalysisDataset(objectRoot, ownId);
      await writeTinyDataset(objectRoot, 'demo.h5ad', { simulated: true });
    },
  );
  for (const name of ['ada', 'bob'] as const)
    tokens[name] = await server.signInAs(`${name}@example.org`, ownersPassword);
  key = await keyOf();
});
afterAll(() => server?.close());

const keyOf = (scopes?: readonly KeyScope[]) => server.newKey(tokens.ada, scopes);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const connect = (headers: Record<string, string>) => connectTools(server.siteUrl, headers);
const as = (name: keyof typeof tokens) => connect(bearer(tokens[name]));
const api = (name: keyof typeof tokens) => apiClient(server, tokens[name], 'elsewhere');
const cells = { dataset: { filename: 'cells.h5ad' } };
const names = (data: unknown) =>
  (data as { datasets: { dataset_filename: string }[] }).datasets.map((one) => one.dataset_filename);

describe('the list of tools', () => {
  test('is in one order for clients of both revisions, and has no tool that writes', async () => {
    const now = await (await as('ada')).list();
    expect(now.map(({ name }) => name)).toEqual([
      'list_datasets',
      'describe_dataset',
      'find_genes',
      'summarize_gene',
      'draw_figure',
      'list_cell_models',
      'classify_cells',
      'export_cells',
      'analyze_comparison',
      'analyze_pathway',
      'analyze_markers',
      'analyze_gradient',
      'analyze_ligand_receptor',
      'analyze_deciles',
      'analyze_trajectory',
      'analyze_co_expression',
      'analyze_composition',
      'analyze_ranked_enrichment',
      'analyze_cell_types',
      'analyze_perturbations',
      'show_map',
      'map_points',
    ]);
    for (const { annotations } of now)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(await (await as('bob')).list()).toEqual(now);
    const older = await connectTools(server.siteUrl, {}, 'legacy');
    expect(await older.list()).toEqual(now);
  });

  test('is that of docs/assistants.md', async () => {
    const page = await readFile(new URL('../../../../../docs/assistants.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(listed).toEqual((await (await as('ada')).list()).map(({ name }) => name));
  });

  test('has the tools that the scopes of the key open, and the others refuse', async () => {
    const reader = await connect(bearer(await keyOf(['read', 'export'])));
    const readable = [
      'list_datasets',
      'describe_dataset',
      'find_genes',
      'summarize_gene',
      'list_cell_models',
    ];
    expect((await reader.list()).map(({ name }) => name)).toEqual([...readable, 'export_cells']);
    expect((await reader.call('describe_dataset', cells)).data).toMatchObject({ cell_count: 240 });
    const analysis = await reader.call('analyze_markers', { ...cells, groupby: 'cell_type' });
    expect(analysis.fenced).toMatchObject({
      status: 403,
      code: 'scope_missing',
      details: { scope: 'analyse' },
    });
    const drawer = await connect(bearer(await keyOf(['analyse'])));
    const drawn = (await drawer.list()).map(({ name }) => name);
    expect(drawn).toEqual(expect.arrayContaining(['draw_figure', 'analyze_markers']));
    expect(drawn).not.toContain('list_datasets');
    expect((await drawer.call('list_datasets')).fenced).toMatchObject({ status: 403, code: 'scope_missing' });
    expect(await (await connect(bearer(await keyOf(['upload'])))).list()).toEqual([]);
  });

  test('has at most 7.5 KB a tool, with arguments that are described and results that are outlined', async () => {
    const all = await (await as('ada')).list();
    expect(JSON.stringify(all).length).toBeLessThan(7_500 * all.length);
    const { inputSchema, outputSchema } = all.find(({ name }) => name === 'analyze_comparison')!;
    expect(inputSchema.properties).toMatchObject({
      method: { default: 'wilcoxon', enum: expect.arrayContaining(['pseudobulk', 't-test']) },
      a: { required: ['name', 'filter'], properties: { filter: { $ref: '#/$defs/SubsetFilter' } } },
    });
    const { SubsetFilter } = inputSchema['$defs'] as Record<string, { properties: object }>;
    expect(Object.keys(SubsetFilter!.properties)).toContain('cell_type');
    expect(Object.keys(SubsetFilter!.properties)).not.toContain('cells');
    expect(outputSchema!.required).toEqual(expect.arrayContaining(['table', 'warnings', 'facts']));
    for (const { inputSchema: input } of all) {
      const used = [...JSON.stringify(input).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name]) => name!);
      expect([...new Set(used)].sort()).toEqual(Object.keys(input['$defs'] ?? {}).sort());
    }
  });

  test('has the text of no dataset', async () => {
    const text = JSON.stringify(await (await as('ada')).list());
    expect(text).not.toContain('cells.h5ad');
    expect(text).not.toContain('<script');
  });
});

describe('a tool', () => {
  test('lists the public datasets and those of the caller, page by page', async () => {
    const ada = await as('ada');
    const { data } = await ada.call('list_datasets');
    expect(names(data)).toEqual(['cells.h5ad', ownId, 'demo.h5ad'].toSorted());
    expect(data).toMatchObject({
      datasets: [{ own: false }, { own: true, name: 'hers.h5ad', state: 'ready' }, {}],
    });
    const rest = await ada.call('list_datasets', { cursor: 'cells.h5ad' });
    expect(names(rest.data)).toEqual([ownId, 'demo.h5ad']);
    expect(names((await (await as('bob')).call('list_datasets')).data)).toEqual(['cells.h5ad', 'demo.h5ad']);
  });

  test('describes a dataset with the numbers of the API', async () => {
    const { data } = await (await as('ada')).call('describe_dataset', cells);
    const opened = (await api('ada').get('/api/dataset_analysis/cells.h5ad')).body;
    const columns = (await api('ada').get('/api/datasets/cells.h5ad/columns')).body;
    expect(data).toMatchObject({
      dataset: { filename: 'cells.h5ad', version: opened.version },
      cell_count: opened.cell_count,
      gene_count: opened.gene_count,
      columns: columns.obs,
      embeddings: columns.embeddings,
      warnings: opened.warnings,
    });
    const { groups } = data as { groups: { column: string; groups: { name: string; cells: number }[] }[] };
    const types = groups.find(({ column }) => column === 'cell_type')!.groups;
    expect(Object.fromEntries(types.map((one) => [one.name, one.cells]))).toEqual(opened.cell_type_counts);
  });

  test('answers as its schema says, which the client checks; those of analyses are checked with them', async () => {
    const ada = await as('ada');
    const examples: Readonly<Record<string, object>> = {
      list_datasets: {},
      describe_dataset: cells,
      find_genes: { ...cells, names: ['GENE1', 'NONE', ...hostileGenes] },
      summarize_gene: { gene: 'GENE1' },
      draw_figure: { ...cells, content: { kind: 'category-umap' } },
      list_cell_models: {},
      classify_cells: { ...cells, model: 'three.json', groupby: 'cell_type' },
      export_cells: { ...cells, format: 'parquet' },
      show_map: cells,
      map_points: cells,
    };
    const names = (await ada.list()).map(({ name }) => name).filter((name) => !name.startsWith('analyze_'));
    expect(Object.keys(examples)).toEqual(names);
    for (const [name, request] of Object.entries(examples)) {
      const { isError, data, fenced } = await ada.call(name, request);
      expect([name, isError]).toEqual([name, undefined]);
      expect(fenced).toEqual(data);
    }
  });

  test('opens nothing in the sessions of its user', async () => {
    const tab = apiClient(server, tokens.ada, 'empty-tab');
    await (await as('ada')).call('analyze_markers', { ...cells, groupby: 'cell_type' });
    await (await as('ada')).call('describe_dataset', cells);
    const { body } = await tab.post('/api/perform-marker-analysis', { groupby: 'cell_type' });
    expect(body.code).toBe('no_dataset_loaded');
  });

  test('finds genes, and draws a figure with its words', async () => {
    const ada = await as('ada');
    const { data } = await ada.call('find_genes', { ...cells, names: ['gene1', 'NONE'] });
    expect(data).toMatchObject({ genes: [{ name: 'gene1', symbol: 'GENE1' }], missing: ['NONE'] });
    const drawn = await ada.call('draw_figure', { ...cells, content: { kind: 'gene-umap', gene: 'GENE1' } });
    expect(drawn.data).toMatchObject({
      title: expect.stringContaining('GENE1'),
      reading: expect.stringContaining('240 cells'),
    });
    const image = drawn.content.find(({ type }) => type === 'image') as { data: string; mimeType: string };
    expect(image.mimeType).toBe('image/png');
    expect(Buffer.from(image.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  test('classifies cells by a trained model: votes of groups, or cell by cell', async () => {
    const ada = await as('ada');
    const { models } = (await ada.call('list_cell_models')).data as { models: object[] };
    expect(models).toEqual([expect.objectContaining({ file: 'three.json', species: 'human' })]);
    const request = { ...cells, model: 'three.json', groupby: 'cell_type' };
    const { data } = await ada.call('classify_cells', request);
    const { body } = await api('ada').post('/api/classify-cells', request);
    expect(data).toMatchObject({
      suggestions: body.suggestions,
      cells: { classified: 240 },
      warnings: body.warnings,
    });
    const names = (answer: unknown) =>
      (answer as { table: { columns: { name: string }[] } }).table.columns.map(({ name }) => name);
    const columns = ['group', 'rank', 'cell_type', 'suggestion', 'cells', 'share', 'probability'];
    expect(names(data)).toEqual(columns);
    const rows = { from: 230, count: 20 };
    const one = await ada.call('classify_cells', { ...request, table: 'cells', rows });
    expect(names(one.data).slice(0, 4)).toEqual(['barcode', 'group', 'cell_type', 'probability']);
    const { table } = one.data as { table: { rows: unknown[]; total_rows: number; next_from: null } };
    expect([table.rows.length, table.total_rows, table.next_from]).toEqual([10, 240, null]);
    const wrong = await ada.call('classify_cells', { ...request, model: 'gone.json' });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toContain('gone.json');
  });

  test('prepares the download of cells, which a key of the scope export then makes', async () => {
    const ada = await as('ada');
    const subset = { subset_group_name: 'T', cell_type_filter: true, cell_type: ['T cell'] };
    const chosen = { ...cells, cells: { subset } };
    const described = await api('ada').post('/api/export-dataset/contents', { ...chosen, counts: false });
    const { data } = await ada.call('export_cells', { ...chosen, counts: false });
    expect(data).toMatchObject(described.body);
    const { cell_count: count } = described.body as { cell_count: number };
    expect(count).toBeLessThan(240);
    const exporter = await keyOf(['export']);
    const get = async (result: unknown, apiKey: string) => {
      const { download } = result as {
        download: { method: string; url: string; headers: Record<string, string>; body: object };
      };
      const headers = { ...download.headers, 'x-api-key': apiKey };
      return fetch(download.url, { ...download, headers, body: JSON.stringify(download.body) });
    };
    const file = Buffer.from(await (await get(data, exporter)).arrayBuffer());
    expect(file.subarray(1, 4).toString()).toBe('HDF');
    const table = await ada.call('export_cells', {
      ...chosen,
      format: 'csv',
      genes: ['GENE1'],
      metadata: false,
    });
    expect(table.data).toMatchObject({
      file_name: expect.stringMatching(/\.csv$/),
      cell_count: count,
      bytes: null,
    });
    const lines = (await (await get(table.data, exporter)).text()).split('\n');
    const [head, ...values] = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect([head!.split(',')[0], values.length]).toEqual(['barcode', count]);
    expect((await get(data, await keyOf(['read', 'analyse']))).status).toBe(403);
    const wrong = await ada.call('export_cells', { ...cells, format: 'csv', counts: true });
    expect(wrong.fenced).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^counts: .* option of csv/),
    });
  });

  test('reports the stages of its work', async () => {
    const messages: string[] = [];
    const request = { ...cells, groupby: 'leiden', min_cells: 4 };
    await (
      await as('ada')
    ).call('analyze_markers', request, { onprogress: ({ message }) => messages.push(message!) });
    expect(messages).toContain('Comparing the groups: 0 of 1');
  });
});

describe('the rights of a caller', () => {
  test('are those of a personal key, sent either way', async () => {
    for (const headers of [bearer(key), { 'x-api-key': key }]) {
      const { data } = await (
        await connect(headers)
      ).call('describe_dataset', { dataset: { filename: ownId } });
      expect(data).toMatchObject({ cell_count: 240 });
    }
  });

  test('leave out the datasets of others, which are refused like those that do not exist', async () => {
    const dataset = { filename: ownId };
    const bob = await as('bob');
    const calls = [
      bob.call('describe_dataset', { dataset }),
      bob.call('find_genes', { dataset, names: ['GENE1'] }),
      bob.call('draw_figure', { dataset, content: { kind: 'category-umap' } }),
      bob.call('analyze_markers', { dataset, groupby: 'cell_type' }),
    ];
    const { body } = await api('bob').get(`/api/dataset_analysis/${encodeURIComponent(ownId)}`);
    const nowhere = await api('bob').get(`/api/dataset_analysis/custom:${randomUUID()}`);
    expect(body.code).toBe(nowhere.body.code);
    for (const { isError, data, fenced } of await Promise.all(calls)) {
      expect([isError, data]).toEqual([true, undefined]);
      expect(fenced).toMatchObject({ status: 404, code: body.code, message: body.message });
    }
  });

  test('without an account are the public catalog and the demo dataset', async () => {
    const visitor = await connect({});
    expect(names((await visitor.call('list_datasets')).data)).toEqual(['cells.h5ad', 'demo.h5ad']);
    const demo = await visitor.call('describe_dataset', { dataset: { filename: 'demo.h5ad' } });
    expect(demo.data).toMatchObject({ cell_count: 60, simulated: true });
    // Apps learn by the status that they have to sign in.
    for (const dataset of [cells.dataset, { filename: ownId }]) {
      await expect(visitor.call('describe_dataset', { dataset })).rejects.toMatchObject({ status: 401 });
    }
    const analysis = { dataset: { filename: 'demo.h5ad' }, groupby: 'leiden' };
    await expect(visitor.call('analyze_markers', analysis)).rejects.toMatchObject({ status: 401 });
    const figure = { dataset: { filename: 'demo.h5ad' }, content: { kind: 'category-umap' } };
    expect((await visitor.call('draw_figure', figure)).fenced).toMatchObject({ code: 'missing_token' });
  });

  test('end at the share of a user or the places of the server, as those of the API do', async () => {
    const bob = await as('bob');
    const own_pairs = 'ligand,receptor\nGENE1,GENE21\nGENE2,GENE22';
    // Each takes a while, and none is in a cache: the queue of the user fills up.
    const calls = Array.from({ length: 110 }, (_, at) => {
      const request = { ...cells, groupby: 'cell_type', own_pairs, permutations: 3000 + at };
      return bob.call('analyze_ligand_receptor', request);
    });
    const refused = (await Promise.all(calls)).filter(({ isError }) => isError);
    expect(refused.length).toBeGreaterThan(0);
    for (const { fenced } of refused) {
      const { status, code } = fenced as { status: number; code: string };
      // Which of the two is full first depends on the machine.
      expect([
        [429, 'too_many_calls'],
        [503, 'busy'],
      ]).toContainEqual([status, code]);
    }
  });

  test('end with the token', async () => {
    await expect(connect(bearer('forged'))).rejects.toMatchObject({ status: 401 });
    await expect(connect(bearer(`cfp_${'x'.repeat(43)}`))).rejects.toMatchObject({ status: 401 });
  });
});

describe('the list of calls', () => {
  const listed = async (name: keyof typeof tokens, before = '') =>
    (await api(name).get(`/api/tool-calls${before}`)).body as ToolCallList;

  test('has those of the caller alone: tool, dataset, credential and status, and no argument', async () => {
    const caller = await connect(bearer(key));
    await caller.call('find_genes', { dataset: { filename: ownId }, names: ['SECRET1'] });
    await caller.call('analyze_markers', { ...cells, groupby: 'SECRET2' });
    await (await as('ada')).call('list_datasets');
    const { calls, kept_days } = await listed('ada');
    expect(kept_days).toBe(90);
    expect(calls.slice(0, 3)).toMatchObject([
      { tool: 'list_datasets', dataset: null, credential: 'session', credential_name: '', status: 200 },
      { tool: 'analyze_markers', dataset: 'cells.h5ad', credential: 'key', status: 400 },
      { tool: 'find_genes', dataset: 'hers.h5ad', credential: 'key', credential_name: 'test', status: 200 },
    ]);
    expect(JSON.stringify(calls)).not.toContain('SECRET');
    await (await as('bob')).call('list_datasets');
    expect((await listed('bob')).calls[0]).toMatchObject({ tool: 'list_datasets' });
    expect(JSON.stringify(await listed('bob'))).not.toContain('hers.h5ad');
  });

  test('is read page by page, each call once', async () => {
    const ada = await as('ada');
    for (let made = 0; made < 11; made += 1) await ada.call('list_datasets');
    const first = await listed('ada');
    expect(first.calls).toHaveLength(10);
    const second = await listed('ada', `?before=${first.next_before}`);
    const ids = [...first.calls, ...second.calls].map(({ id }) => BigInt(id));
    expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? 1 : -1)));
    expect(new Set(ids).size).toBe(ids.length);
    expect((await api('ada').get('/api/tool-calls?before=x')).body).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('before'),
    });
  });
});

describe('the command line', () => {
  const program = fileURLToPath(new URL('../../ops/main.ts', import.meta.url));
  const connectStdio = (env: Record<string, string>) =>
    toolsOver(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', '--url', server.siteUrl],
        env,
      }),
    );

  test('offers the same tools over standard input and output, with the rights of a key', async () => {
    const [over, http] = await Promise.all([connectStdio({ CELLFOLIO_API_KEY: key }), as('ada')]);
    expect(await over.list()).toEqual(await http.list());
    expect((await over.call('list_datasets')).data).toEqual((await http.call('list_datasets')).data);
    const request = { dataset: { filename: ownId }, groupby: 'cell_type' };
    expect((await over.call('analyze_markers', request)).data).toEqual(
      (await http.call('analyze_markers', request)).data,
    );
    await over.close();
  });

  test('says which server does not answer', async () => {
    const { code, err } = await runCommand(['mcp', '--url', 'http://127.0.0.1:1'], {});
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('No Cellfolio server answers at http://127.0.0.1:1.'),
    ]);
    const wrong = await runCommand(['mcp', '--url', 'nowhere'], {});
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--url: nowhere is not an address')]);
  });
});

describe('the text of strangers', () => {
  test('arrives unchanged as data, and inside the fence', async () => {
    const ada = await as('ada');
    const described = await ada.call('describe_dataset', cells);
    expect(JSON.stringify(described.data)).toContain(JSON.stringify(hostile));
    const named = await ada.call('find_genes', { ...cells, names: hostileGenes });
    const { genes } = named.data as { genes: { symbol: string }[] };
    expect(genes.map(({ symbol }) => symbol)).toEqual(hostileGenes);
    const request = {
      ...cells,
      groupby: 'cell_type',
      pvals_adj: 1,
      logfoldchanges: -100,
      n_genes: 100,
      rows: { count: 500 },
    };
    const marked = await ada.call('analyze_markers', request);
    const { rows } = (marked.data as { table: { rows: string[][] } }).table;
    expect(new Set(rows.map(([group]) => group))).toContain(hostile);
    expect(rows.map(([, gene]) => gene)).toEqual(expect.arrayContaining([...hostileGenes]));
    for (const result of [described, named, marked]) {
      // The fence holds all of the data, on one line, and nothing in it looks like markup.
      expect(result.fenced).toEqual(result.data);
      expect(result.text).not.toContain('<');
    }
  });

  test('is fenced in refusals too', async () => {
    const { isError, text, fenced } = await (
      await as('ada')
    ).call('analyze_markers', { ...cells, groupby: hostile });
    expect(isError).toBe(true);
    expect((fenced as { message: string }).message).toContain('script');
    expect(text.split('\n')[0]).not.toContain('script');
  });
});

describe('a call that does not fit', () => {
  test('is refused with the sentence of the API', async () => {
    const ada = await as('ada');
    const wrong: [string, string, object][] = [
      [
        'analyze_markers',
        '/api/perform-marker-analysis',
        { groupby: 'cell_type', n_genes: 0, method: 'anova' },
      ],
      ['analyze_markers', '/api/perform-marker-analysis', { groupby: 7 }],
      ['analyze_gradient', '/api/perform-gradient-analysis', { axis: { of: 'gene', gene: 'GONE' } }],
    ];
    for (const [name, path, request] of wrong) {
      const { status, body } = await api('ada').post(path, { ...request, ...cells });
      const { fenced } = await ada.call(name, { ...request, ...cells });
      expect(fenced).toEqual({ status, ...body });
    }
  });

  test('names the argument of the tool that is missing or out of range', async () => {
    const ada = await as('ada');
    const none = await ada.call('analyze_markers', { groupby: 'cell_type' });
    expect(none.fenced).toMatchObject({ status: 400, message: 'dataset: This is required: give an object.' });
    const many = await ada.call('analyze_markers', { ...cells, groupby: 'cell_type', rows: { count: 501 } });
    expect(many.fenced).toMatchObject({ message: 'rows.count: Give at most 500.' });
    await expect(ada.call('delete_dataset')).rejects.toThrow('There is no such tool');
  });

  test('to another version of a dataset is refused', async () => {
    const dataset = { filename: 'cells.h5ad', version: 'older' };
    for (const [name, request] of [
      ['describe_dataset', {}],
      ['analyze_markers', { groupby: 'cell_type' }],
    ] as const) {
      const { fenced } = await (await as('ada')).call(name, { dataset, ...request });
      expect(fenced).toMatchObject({ status: 409, code: 'dataset_changed' });
    }
  });
});
