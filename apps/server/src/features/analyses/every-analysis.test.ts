import { answerFields, declarations } from '@cellfolio/analyses';
import { analysisCall, csvCell, csvText } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeDonorsDataset } from '../gene-comparisons/testing/donors-dataset.ts';
import { connectTools } from '../mcp/testing/connect-tools.ts';
import { writeBranchingDataset } from './testing/branching-dataset.ts';
import { writeMixedDataset } from './testing/mixed-dataset.ts';
import { writeModulesDataset } from './testing/modules-dataset.ts';
import { writeScreenDataset } from './testing/screen-dataset.ts';

const ofColumn = (column: string, ...values: string[]) => ({
  name: values.join(' or '),
  filter: {
    subset_group_name: 'Group',
    patient_metadata_filter: true,
    patient_metadata: { [column]: values },
  },
});

/** Eight markers of each type, from a gene on. */
function markersOf(...types: readonly (readonly [name: string, from: number])[]): string {
  const lines = types.map(([name, from]) => {
    const genes = Array.from({ length: 8 }, (_, at) => `GENE${from + at}`).join(' ');
    return `${csvCell(name)},${genes}`;
  });
  return ['cell_type,gene', ...lines].join('\n');
}

interface Example {
  /** Writes its dataset. */
  write(root: string, id: string): Promise<unknown>;
  /** Two subsets of it that can be analysed. */
  readonly subsets: readonly [object, object];
  readonly request: object;
  readonly stages: readonly string[];
  /** Changes of it that are refused. */
  readonly refused: readonly (readonly [change: object, status: number, code: string])[];
}

/** By the id of the analysis. */
const examples: Readonly<Record<string, Example>> = {
  gradient: {
    write: (root, id) => writeBranchingDataset(root, id, { shape: 'fork' }),
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: { axis: { of: 'column', column: 'time' } },
    stages: ['Ordering the cells', 'Testing the genes'],
    refused: [
      [{ axis: { of: 'gene', gene: hostile } }, 400, 'gene_not_found'],
      [{ axis: { of: 'column', column: '__proto__' } }, 400, 'unknown_column'],
      [{ axis: { of: 'column', column: 'stage' } }, 400, 'not_numeric'],
      [{ axis: { of: 'groups', groupby: 'stage', from: 'early', to: hostile } }, 400, 'unknown_group'],
      [{ axis: { of: 'groups', groupby: 'stage', from: 'early', to: 'early' } }, 400, 'no_line'],
      [{ axis: { of: 'line', from: [1, 1], to: [1, 1] } }, 400, 'no_line'],
      [{ axis: { of: 'line', from: [0, 0], to: [1, 1], embedding: hostile } }, 400, 'embedding_not_found'],
      [{ samples: 'time' }, 400, 'not_categorical'],
      [{ genes: ['NONE'] }, 400, 'gene_not_found'],
      [{ degrees: 9 }, 400, 'invalid_request'],
      [{ axis: undefined }, 400, 'invalid_request'],
    ],
  },
  trajectory: {
    write: (root, id) => writeBranchingDataset(root, id, { shape: 'fork' }),
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: { groupby: 'stage' },
    stages: ['Finding the nearest cells', 'Ordering the cells', 'Testing the genes'],
    refused: [
      [{ groupby: hostile }, 400, 'unknown_column'],
      [{ groupby: 'time' }, 400, 'not_categorical'],
      [{ root: { by: 'cell', barcode: hostile } }, 400, 'cell_not_found'],
      [{ root: { by: 'group', group: '__proto__' } }, 400, 'unknown_group'],
      [{ genes: ['NONE'] }, 400, 'gene_not_found'],
      [{ n_neighbors: 2 }, 400, 'invalid_request'],
      [{ n_dcs: 16 }, 400, 'invalid_request'],
    ],
  },
  'ranked-enrichment': {
    write: writeDonorsDataset,
    subsets: [ofColumn('condition', 'control').filter, ofColumn('condition', 'treated').filter],
    request: {
      ranking: { source: 'own', genes: ['TP53', 'CD3D', 'CD3E', 'CD3G', 'LCK'], values: [5, 4, 3, 2, -1] },
      min_size: 1,
      permutations: 20,
    },
    stages: ['Ranking the genes', 'Permuting the genes', 'Testing the sets', 'Drawing the sets'],
    refused: [
      [{ library_name: 'Nope' }, 400, 'unknown_library'],
      [{ max_size: 1, min_size: 2 }, 400, 'invalid_request'],
      [{ permutations: 9 }, 400, 'invalid_request'],
      [{ method: 'constructor' }, 400, 'invalid_request'],
      [{ ranking: { source: 'own', genes: ['A', 'B'], values: [0, null] } }, 422, 'no_ranking'],
      [{ ranking: { source: 'own', genes: ['A', 'B'], values: [1] } }, 400, 'invalid_request'],
      [{ ranking: { source: hostile } }, 400, 'invalid_request'],
      [{ species: hostile }, 400, 'invalid_request'],
    ],
  },
  pathway: {
    write: writeDonorsDataset,
    subsets: [ofColumn('condition', 'control').filter, ofColumn('condition', 'treated').filter],
    request: { pathway_genes: ['GENE1', 'GENE2'], background: { kind: 'expressed' } },
    stages: ['Averaging all genes'],
    refused: [
      [{ library_name: 'Nope' }, 400, 'unknown_library'],
      [{ library_name: '../../etc/passwd' }, 400, 'unknown_library'],
      [{ pathway_genes: [] }, 400, 'invalid_request'],
      [{ background: { kind: 'own', genes: [] } }, 400, 'invalid_request'],
      [{ background: { kind: 'constructor' } }, 400, 'invalid_request'],
      [{ minimum_overlap: 0 }, 400, 'invalid_request'],
      [{ species: 'constructor' }, 400, 'invalid_request'],
    ],
  },
  markers: {
    write: writeAnalysisDataset,
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: { groupby: 'cell_type' },
    stages: ['Comparing the groups', 'Testing the groups'],
    refused: [
      [{ groupby: 'gone' }, 400, 'unknown_column'],
      [{ groupby: hostile }, 400, 'unknown_column'],
      [{ groupby: 'depth' }, 400, 'not_categorical'],
      [{ groupby: 'constant' }, 422, 'not_enough_groups'],
      [{ split: { column: '__proto__' } }, 400, 'unknown_column'],
      [{ reference: '__proto__' }, 400, 'unknown_group'],
      [{ depth: 'downsample' }, 422, 'no_raw_counts'],
      [{ n_genes: 0 }, 400, 'invalid_request'],
      [{ method: 'anova' }, 400, 'invalid_request'],
    ],
  },
  comparison: {
    write: writeDonorsDataset,
    subsets: [ofColumn('cell_type', 'T cell').filter, ofColumn('cell_type', 'B cell').filter],
    request: { a: ofColumn('condition', 'treated'), b: ofColumn('condition', 'control') },
    stages: ['Finding the cells', 'Testing the genes', 'Drawing the genes'],
    refused: [
      [{ a: ofColumn('condition', 'gone') }, 400, 'unknown_value'],
      [{ a: undefined }, 400, 'invalid_request'],
      [{ within: hostile }, 400, 'unknown_column'],
      [{ samples: '__proto__' }, 400, 'unknown_column'],
      [{ method: 'deseq' }, 400, 'invalid_request'],
      [{ pvals_adj: 2 }, 400, 'invalid_request'],
    ],
  },
  deciles: {
    write: writeDonorsDataset,
    subsets: [ofColumn('condition', 'control').filter, ofColumn('condition', 'treated').filter],
    request: { by: { of: 'gene', gene: 'GENE1' }, share: 20 },
    stages: ['Ranking the cells', 'Testing the genes', 'Drawing the genes'],
    refused: [
      [{ by: { of: 'gene', gene: 'GONE' } }, 400, 'gene_not_found'],
      [{ by: { of: 'column', column: hostile } }, 400, 'unknown_column'],
      [{ samples: '__proto__' }, 400, 'unknown_column'],
      [{ share: 51 }, 400, 'invalid_request'],
      [{ method: 't-test' }, 400, 'invalid_request'],
    ],
  },
  composition: {
    write: writeMixedDataset,
    subsets: [ofColumn('batch', 'b1').filter, ofColumn('batch', 'b2').filter],
    request: { a: ofColumn('condition', 'treated'), b: ofColumn('condition', 'control') },
    stages: ['Finding the cells', 'Testing the shares'],
    refused: [
      [{ by: 'gone' }, 400, 'unknown_column'],
      [{ by: '__proto__' }, 400, 'unknown_column'],
      [{ by: 'age' }, 400, 'not_categorical'],
      [{ samples: hostile }, 400, 'unknown_column'],
      [{ by: 'x'.repeat(501) }, 400, 'invalid_request'],
      [{ pvals_adj: 2 }, 400, 'invalid_request'],
      [{ by: 'two' }, 422, 'too_few_categories'],
    ],
  },
  'ligand-receptor': {
    write: writeAnalysisDataset,
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: {
      groupby: 'cell_type',
      own_pairs: 'ligand,receptor\nGENE1,GENE21\nGENE2+GENE3,GENE22',
      permutations: 300,
    },
    stages: ['Finding the groups', 'Reading the genes', 'Permuting the labels', 'Ranking the interactions'],
    refused: [
      [{ pairs: 'none', own_pairs: undefined }, 400, 'unknown_pairs'],
      [{ pairs: 'abridged', own_pairs: undefined }, 422, 'no_pairs_found'],
      [{ own_pairs: 'A,B' }, 400, 'invalid_pairs'],
      [{ groupby: 'gone' }, 400, 'unknown_column'],
      [{ groupby: hostile }, 400, 'unknown_column'],
      [{ groupby: 'depth' }, 400, 'not_categorical'],
      [{ groupby: 'constant' }, 422, 'not_enough_groups'],
      [{ groups: ['B cell', '__proto__'] }, 422, 'not_enough_groups'],
      [{ permutations: 10 }, 400, 'invalid_request'],
    ],
  },
  'cell-types': {
    write: writeAnalysisDataset,
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: { groupby: 'cell_type', own_markers: markersOf(['B', 1], [hostile, 11], ['T', 21]) },
    stages: ['Scoring the types'],
    refused: [
      [{ markers: 'none', own_markers: undefined }, 400, 'unknown_markers'],
      [{ markers: 'abridged', own_markers: undefined }, 422, 'no_markers_found'],
      [{ own_markers: 'A,B' }, 400, 'invalid_markers'],
      [{ groupby: 'gone' }, 400, 'unknown_column'],
      [{ groupby: hostile }, 400, 'unknown_column'],
      [{ groupby: 'depth' }, 400, 'not_categorical'],
      [{ groupby: 'constant' }, 422, 'not_enough_groups'],
      [{ groups: ['B cell', '__proto__'] }, 422, 'not_enough_groups'],
      [{ min_margin: 2 }, 400, 'invalid_request'],
    ],
  },
  'co-expression': {
    write: (root, id) => writeModulesDataset(root, id, { planted: true }),
    subsets: [ofColumn('patient', 'P1').filter, ofColumn('patient', 'P2').filter],
    request: { max_genes: 60 },
    stages: ['Finding the nearest cells', 'Testing the genes', 'Correlating the genes', 'Grouping the genes'],
    refused: [
      [{ n_neighbors: 4 }, 400, 'invalid_request'],
      [{ max_genes: 501 }, 400, 'invalid_request'],
      [{ model: 'bernoulli' }, 400, 'invalid_request'],
      [{ graph: hostile }, 400, 'invalid_request'],
    ],
  },
  perturbations: {
    write: writeScreenDataset,
    subsets: [ofColumn('batch', 'b1').filter, ofColumn('batch', 'b2').filter],
    request: { groupby: 'perturbation', guides: 'guide_id', permutations: 99, min_cells: 10 },
    stages: [
      'Sorting the cells',
      'Testing the genes',
      'Ranking the genes',
      'Permuting the labels',
      'Comparing the perturbations',
    ],
    refused: [
      [{ groupby: 'gone' }, 400, 'unknown_column'],
      [{ groupby: hostile }, 400, 'unknown_column'],
      [{ guides: '__proto__' }, 400, 'unknown_column'],
      [{ batch: hostile }, 400, 'unknown_column'],
      [{ controls: [] }, 400, 'invalid_request'],
      [{ controls: ['__proto__'] }, 422, 'no_controls'],
      [{ permutations: 10 }, 400, 'invalid_request'],
      [{ expected: 'sideways' }, 400, 'invalid_request'],
      [{ pvals_adj: 2 }, 400, 'invalid_request'],
    ],
  },
};

let server: SharedServer;
let token: string;
beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    // name-dictionary: by the id of a declaration
    for (const { id } of declarations) await examples[id]!.write(objectRoot, `every-${id}.h5ad`);
  });
  token = await server.signIn('standard');
});

interface ToolTable {
  columns: { name: string }[];
  rows: (string | number | null)[][];
  total_rows: number;
}

const requiredNames = ({ shape }: (typeof declarations)[number]['result']) =>
  Object.keys(shape).filter((name) => !z.safeParse(shape[name]!, undefined).success);

async function opened(id: string, tab: string) {
  const api = apiClient(server, token, tab);
  await api.get(`/api/dataset_analysis/every-${id}.h5ad`);
  return api;
}

describe.each(declarations.map((one) => [one.id, one] as const))('%s', (id, declaration) => {
  // name-dictionary: by the id of a declaration
  const example = examples[id]!;
  const { path, table } = declaration;
  const fields = answerFields(declaration);

  test('answers as its schema says, and its figure is drawn again from its source', async () => {
    const api = await opened(id, `${id}-answer`);
    const { status, body } = await api.post(path, example.request);
    expect([status, body.message]).toEqual([200, undefined]);
    const answer = analysisCall(declaration).answer.parse(body);
    const lines = answer[`${fields.table}_csv`]!.trimEnd().split('\n');
    const head = lines.filter((line) => line.startsWith('#')).join('\n');
    for (const { message } of answer.warnings) expect(head).toContain(message);
    const made = declaration.facts?.(answer) ?? [];
    const codes = [...made, ...answer.facts].map(({ code }) => code);
    for (const code of declaration.headline) expect(codes).toContain(code);
    const columns = lines.find((line) => !line.startsWith('#'))!.split(',');
    for (const column of columns) expect(Object.keys(table)).toContain(column);
    for (const { title, message } of answer.facts) expect(head).toContain(`# ${title}: ${message}`);
    const drawn = await api.post('/api/render-figure', { source: answer.source, format: 'json' });
    expect([drawn.status, drawn.body.kind]).toEqual([200, declaration.figure.kind]);
    expect(drawn.body.groups).toEqual((body.figure as { groups?: unknown }).groups);
  });

  test('is a tool of assistants, with the numbers of the call in a result as its schema says', async () => {
    const api = apiClient(server, token, `${id}-tool`);
    const tools = await connectTools(server.siteUrl, { authorization: `Bearer ${token}` });
    const request = { ...example.request, dataset: { filename: `every-${id}.h5ad` } };
    const { body } = await api.post(path, request);
    const name = `analyze_${id.replaceAll('-', '_')}`;
    const { isError, data } = await tools.call(name, { ...request, rows: { count: 500 } });
    expect(isError).toBeUndefined();
    const { table: page, ...fields } = data as { table: ToolTable };
    for (const [field, value] of Object.entries(fields)) expect([field, value]).toEqual([field, body[field]]);
    expect(Object.keys(fields)).toEqual(
      expect.arrayContaining(['warnings', 'facts', 'source', ...requiredNames(declaration.result)]),
    );
    const rows = parse(body[`${answerFields(declaration).table}_csv`], {
      comment: '#',
      comment_no_infix: true,
    });
    const [columns, ...lines] = rows as string[][];
    expect(page.columns.map((column) => column.name)).toEqual(columns);
    expect(page.total_rows).toBe(lines.length);
    const shown = lines.slice(0, 500).map((line) => line.map((cell, at) => [cell, page.columns[at]!.name]));
    for (const [row, line] of shown.entries()) {
      for (const [at, [cell, column]] of line.entries()) {
        const isText = ['text', 'genes'].includes(table[column!]!.kind);
        const value = page.rows[row]![at]!;
        expect([row, column, value]).toEqual([
          row,
          column,
          isText ? csvText(cell!) : cell === '' ? null : Number(cell),
        ]);
      }
    }
    const refused = await tools.call(name, { ...request, ...example.refused[0]![0] });
    const sentence = (await api.post(path, { ...request, ...example.refused[0]![0] })).body.message;
    expect(refused.fenced).toMatchObject({ message: sentence });
    await tools.close();
  });

  test('refuses what it cannot do, with the field at fault', async () => {
    const api = await opened(id, `${id}-refused`);
    for (const [change, status, code] of example.refused) {
      const { status: answeredStatus, body } = await api.post(path, { ...example.request, ...change });
      expect([answeredStatus, body.code], JSON.stringify(change)).toEqual([status, code]);
      const [field] = Object.keys(change);
      expect(JSON.stringify(body.details)).toContain(field);
      expect(body.message.length).toBeLessThan(1000);
    }
  });

  test('is answered without a session for a dataset and cells that the call names', async () => {
    const opener = await opened(id, `${id}-opened`);
    const dataset = { filename: `every-${id}.h5ad` };
    const inSession = await opener.post(path, example.request);
    const api = apiClient(server, token, `${id}-nothing-is-open`);
    const call = (change: object) => api.post(path, { ...example.request, ...change });
    expect(await call({})).toMatchObject({ status: 400, body: { code: 'no_dataset_loaded' } });
    const { status, body } = await call({ dataset });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body).toEqual(inSession.body);
    const of = (named: object) => call({ dataset: { ...dataset, ...named } });
    expect(await of({ version: 'older' })).toMatchObject({ status: 409, body: { code: 'dataset_changed' } });
    expect(await of({ version: body.source.version })).toMatchObject({ status: 200 });
    expect(await of({ filename: 'none.h5ad' })).toMatchObject({ status: 404 });
    expect(await of({ filename: hostile })).toMatchObject({ status: 404 });
    expect(await of({ filename: '' })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    // Naming a dataset opens none.
    expect(await call({})).toMatchObject({ status: 400 });
  });

  test('is in OpenAPI with its request and answer, and without what a form needs', async () => {
    const { body } = await (await opened(id, `${id}-openapi`)).get('/api/openapi.json');
    const { summary, requestBody, responses } = body.paths[path].post;
    expect(summary).toBe(declaration.summary);
    const schemaOf = ({ content }: typeof requestBody) => {
      const name = content['application/json'].schema.$ref.split('/').at(-1);
      return new Map(Object.entries<{ properties: object }>(body.components.schemas)).get(name)!;
    };
    const request = schemaOf(requestBody);
    const text = JSON.stringify(request);
    expect(text).not.toMatch(/"(?:control|also|choices|hint)"/);
    expect(Object.keys(request.properties)).toEqual([
      ...Object.keys(declaration.request.shape),
      'dataset',
      'cells',
    ]);
    expect(Object.keys(schemaOf(responses['200']).properties)).toEqual(
      expect.arrayContaining([
        `${fields.table}_csv`,
        `${fields.figure}_image`,
        'facts',
        ...Object.keys(declaration.result.shape),
      ]),
    );
  });

  test('reports its stages, and nothing of it is left when its caller goes', async () => {
    await opened(id, `${id}-progress`);
    const headers = {
      ...server.headers(token, `${id}-progress`),
      'content-type': 'application/json',
      'x-request-id': `${id}-watched`,
    };
    const watching = fetch(`${server.siteUrl}/api/progress/${id}-watched`, { headers });
    // Other cells than before: nothing of it is in a cache.
    const body = JSON.stringify({ ...example.request, cells: { subset: example.subsets[0] } });
    const [answer, events] = await Promise.all([
      fetch(`${server.siteUrl}${path}`, { method: 'POST', headers, body }),
      watching.then((one) => one.text()),
    ]);
    expect(answer.status).toBe(200);
    for (const stage of example.stages) expect(events).toContain(`"stage":"${stage}"`);
    const gone = new AbortController();
    const other = JSON.stringify({ ...example.request, cells: { subset: example.subsets[1] } });
    const left = fetch(`${server.siteUrl}${path}`, {
      method: 'POST',
      headers,
      body: other,
      signal: gone.signal,
    });
    gone.abort();
    await expect(left).rejects.toThrow(/abort/i);
    const again = await fetch(`${server.siteUrl}${path}`, { method: 'POST', headers, body: other });
    expect(again.status).toBe(200);
  });
});
