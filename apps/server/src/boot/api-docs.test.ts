import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareDemoCatalogue } from '../features/demo/prepare-demo-catalogue.ts';
import { demoRecipes } from '../features/demo/recipes.ts';
import { startTestServer, type TestServer } from '../testing/running-server.ts';

const page = new URL('../../../../docs/api.md', import.meta.url);
const recipe = {
  ...demoRecipes.find(({ id }) => id === 'demo-breast-triple-negative.h5ad')!,
  cellCount: 500,
};

const toolAt = (command: string) => spawnSync(command, ['--version']).status === 0;
const canCurl = toolAt('curl') && toolAt('bash');
if (!canCurl)
  console.warn('SKIPPED: the curl examples of docs/api.md were not run; curl or bash is not there.');

interface Example {
  language: string;
  code: string;
}

interface Schema {
  $ref?: string;
  description?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}
interface OpenApiOperation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

let server: TestServer;
let personalKey: string;
let text: string;
let examples: Example[];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-api-docs-'));
  text = await readFile(page, 'utf8');
  examples = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
  server = await startTestServer({}, ({ objectRoot, dataDir }) =>
    prepareDemoCatalogue({ root: objectRoot, tempDir: join(dataDir, 'tmp'), recipes: [recipe] }),
  );
  personalKey = await server.newKey(await server.signIn('standard'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const ofLanguage = (language: string) => examples.filter((example) => example.language === language);

const account = () => server.demoAccounts.find(({ tier }) => tier === 'standard')!;

function environment(): NodeJS.ProcessEnv {
  const { email, password } = account();
  return {
    ...process.env,
    CELLFOLIO_URL: server.siteUrl,
    CELLFOLIO_API_KEY: personalKey,
    CELLFOLIO_EMAIL: email,
    CELLFOLIO_PASSWORD: password,
    CELLFOLIO_DATASET: recipe.id,
  };
}

async function run(command: string, options: string[], name: string): Promise<string> {
  const cwd = await mkdtemp(join(folder, `${name}-`));
  await promisify(execFile)(command, options, { cwd, env: environment(), timeout: 120_000 });
  return cwd;
}

async function savedFiles(at: string): Promise<Record<string, string>> {
  const names = (await readdir(at)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, kindOf(await readFile(join(at, name)))] as const)),
  );
}

function kindOf(bytes: Buffer): string {
  if (bytes.subarray(1, 4).toString() === 'PNG') return 'png';
  if (bytes.subarray(1, 4).toString() === 'HDF') return 'hdf5';
  if (bytes.subarray(0, 2).toString() === 'PK') return 'zip';
  const content = bytes.toString();
  if (content.startsWith('<svg ')) return 'svg';
  if (content.startsWith('{')) return typeof JSON.parse(content) === 'object' ? 'json' : '';
  return content.split('\n').length > 1 ? 'lines' : 'nothing';
}

test('every example of docs/api.md is in one of its three languages', () => {
  expect(new Set(examples.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'python']));
  expect(ofLanguage('ts').length).toBeGreaterThanOrEqual(12);
  expect(ofLanguage('sh').length).toBeGreaterThanOrEqual(12);
});

test('the TypeScript examples of docs/api.md run in order', async () => {
  const code = ofLanguage('ts').map((example, i) => `console.error('example ${i + 1}');\n${example.code}`);
  const file = join(folder, 'examples.ts');
  await writeFile(file, code.join('\n'));
  expect(await savedFiles(await run(process.execPath, [file], 'ts'))).toEqual({
    'CD3D-umap.png': 'png',
    'CD3D-violin.png': 'png',
    'EPCAM-umap.png': 'png',
    'EPCAM-violin.png': 'png',
    'cells.csv': 'lines',
    'cluster-0.png': 'png',
    'dotplot.png': 'png',
    'dotplot.svg': 'svg',
    'markers.csv': 'lines',
    'pathways.csv': 'lines',
    't-cells.png': 'png',
  });
});

test.skipIf(!canCurl)('the curl examples of docs/api.md run in order', { timeout: 300_000 }, async () => {
  const code = ofLanguage('sh').map((example, i) => `echo 'example ${i + 1}' >&2\n${example.code}`);
  const at = await run('bash', ['-euo', 'pipefail', '-c', code.join('\n')], 'sh');
  expect(await savedFiles(at)).toEqual({
    'account.json': 'json',
    'account.zip': 'zip',
    'annotation.json': 'json',
    'by-cluster.json': 'json',
    'catalogue.json': 'json',
    'categories.json': 'json',
    'cell-types.json': 'json',
    'cells.csv': 'lines',
    'cells.h5ad': 'hdf5',
    'composition.json': 'json',
    'deciles.json': 'json',
    'dataset.json': 'json',
    'deg.json': 'json',
    'enrichment.json': 'json',
    'epcam-dark.png': 'png',
    'epcam-print.png': 'png',
    'epcam-to-5.svg': 'svg',
    'epcam.png': 'png',
    'epcam.svg': 'svg',
    'gene-list.json': 'json',
    'gradient.json': 'json',
    'kept-analyses.json': 'json',
    'libraries.json': 'json',
    'link.json': 'json',
    'markers.png': 'png',
    'modules.json': 'json',
    'pairs.json': 'json',
    'part.svg': 'svg',
    'progress.txt': 'lines',
    'ranked.json': 'json',
    'screen.json': 'json',
    'signature.json': 'json',
    'state.json': 'json',
    'trajectory.json': 'json',
    'types.json': 'json',
    'umap.png': 'png',
  });
});

test('docs/api.md has every call, and itself or the schema describes each field', async () => {
  const answer = await fetch(`${server.siteUrl}/api/openapi.json`);
  const { paths, components } = (await answer.json()) as {
    paths: Record<string, Record<string, OpenApiOperation>>;
    components: { schemas: Record<string, Schema> };
  };
  const missing: string[] = [];
  const fieldNames = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    // The page has parameter names of its own.
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '\\{\\w+\\}');
    if (!new RegExp(`${pattern}\\b|${pattern}\``).test(text)) missing.push(path);
    for (const { requestBody, responses } of Object.values(operations)) {
      for (const part of [requestBody, responses['200']]) {
        const schema = part?.content?.['application/json']?.schema;
        const named = schema?.$ref && components.schemas[schema.$ref.split('/').at(-1)!];
        for (const [name, field] of Object.entries((named || schema)?.properties ?? {})) {
          fieldNames.add(name);
          // The parts of the cluster figure are listed by their suffixes.
          const shown = name.replace(/^leiden_cluster(?=_figure|_source)/, '');
          if (!isDescribed(field) && !new RegExp(`\`[^\`\\n]*\\b${shown}\\b`).test(text))
            missing.push(`${path} ${name}`);
        }
      }
    }
  }
  expect(missing).toEqual([]);
  expect([...fieldNames]).toEqual(
    expect.arrayContaining(['groupby', 'marker_csv', 'score_name', 'cell_type']),
  );
});

/** A shared schema has a description of its own, and its fields theirs. */
function isDescribed({ description, $ref, anyOf = [] }: Schema): boolean {
  return Boolean(description ?? $ref) || anyOf.some(isDescribed);
}

test('docs/api.md has every error code and status', async () => {
  const sources = fileURLToPath(new URL('..', import.meta.url));
  const files = (await readdir(sources, { recursive: true })).filter(
    (name) => /^(features|runtime)\b.*\.ts$/.test(name) && !name.endsWith('.test.ts'),
  );
  const refusals = new Map<string, string>();
  // An analysis refuses by its context, with 422.
  const analyses = fileURLToPath(new URL('../../../../packages/analyses/src', import.meta.url));
  for (const name of await readdir(analyses, { recursive: true })) {
    const source = name.endsWith('.ts') ? await readFile(join(analyses, name), 'utf8') : '';
    for (const [, code] of source.matchAll(/\.refuse\(\s*'(\w+)'/g)) refusals.set(code!, '422');
  }
  for (const name of files) {
    const source = await readFile(join(sources, name), 'utf8');
    for (const [, status, code] of source.matchAll(/ApiFailure\(\s*(\d{3}),\s*'(\w+)'/g)) {
      refusals.set(code!, status!);
    }
    for (const [, status, code] of source.matchAll(/status: (\d{3}), (?:body: \{ )?code: '(\w+)'/g)) {
      refusals.set(code!, status!);
    }
  }
  // Only in the log: the client has disconnected.
  refusals.delete('client_closed');
  expect(refusals.size).toBeGreaterThan(20);
  const rows = text.split('\n').filter((line) => /^\| \d{3} /.test(line));
  const missing = [...refusals].filter(
    ([code, status]) => !rows.some((row) => row.startsWith(`| ${status} `) && row.includes(`\`${code}\``)),
  );
  expect(missing).toEqual([]);
});
