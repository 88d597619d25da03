// Adds every file that docs/formats.md is proved by to a new store, and writes into a new folder what became of each:
// `digests.txt` has a checksum of every array, the manifest or the refusal; `converted` the files that conversions made.
//
//     node tools/dataset-digests.mjs FOLDER [CHECKOUT]
//
// Two folders, of two checkouts, are compared with `diff`. Without a checkout it is this one's.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const folder = resolve(process.argv[2]);
const checkout = resolve(process.argv[3] ?? join(import.meta.dirname, '..'));
const ops = join(checkout, 'apps/server/src/ops/datasets');
const { addedTo } = await import(join(ops, 'adding.test-data.ts'));
const { inputCases } = await import(join(ops, 'input-cases.test-data.ts'));
const { datasetCommands } = await import(join(ops, 'commands.ts'));
const { Command } = await import(join(checkout, 'node_modules/commander/index.js'));
const { combineSamples, readableFile } = await import(join(checkout, 'packages/ingest/src/index.ts'));

const ingest = join(checkout, 'packages/ingest');
const fixtures = [
  'fixtures',
  'fixtures/anndata-versions',
  'src/conversions/fixtures',
  'src/conversions/rds/fixtures',
  'src/formats/h5seurat/fixtures',
  'src/formats/loom/fixtures',
].flatMap((place) =>
  readdirSync(join(ingest, place))
    .filter((name) => !name.endsWith('.json') && statSync(join(ingest, place, name)).isFile())
    .map((name) => ({ name: `${place}/${name}`, path: join(ingest, place, name), options: [] })),
);
const cases = (await inputCases()).map(({ topic, title, path, options }) => ({
  name: `${topic}: ${title}`,
  path,
  options,
}));

mkdirSync(join(folder, 'converted'), { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'cellfolio-digests-'));
const lines = [];
try {
  for (const input of [...fixtures, ...cases]) {
    lines.push(`# ${input.name}`, ...(await added(input)));
    await convert(input);
  }
  lines.push('# combined', ...(await combined()));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
writeFileSync(join(folder, 'digests.txt'), `${lines.join('\n')}\n`);
// Servers' threads that stay.
process.exit();

async function added({ path, options }) {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  try {
    // Files of the fixtures whose genes are on a side that their names do not tell.
    const sided = /unclear|write-table/.test(path) ? ['--genes-in', 'rows'] : [];
    await addedTo(dataDir, path, parsed([...sided, ...options]));
    return digests(join(dataDir, 'objects'));
  } catch (error) {
    return [`refused: ${plain(error.message)}`];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function parsed(options) {
  const program = new Command();
  datasetCommands(program, async () => undefined);
  const add = program.commands[0].commands.find((command) => command.name() === 'add');
  add.parseOptions(['--no-compute', ...options]);
  return add.opts();
}

/** A line for each object of the store; of JSON also the text, without what differs between two runs. */
function digests(root) {
  return readdirSync(root, { recursive: true })
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => {
      const bytes = readFileSync(join(root, name));
      const isJson = name.endsWith('.json');
      const content = isJson ? plain(bytes.toString()) : bytes;
      const digest = createHash('sha256').update(content).digest('hex');
      return `${plain(name)} ${digest}${isJson ? ` ${content.replaceAll(/\s+/g, ' ')}` : ''}`;
    })
    .toSorted();
}

function plain(text) {
  return text
    .replaceAll(checkout, '')
    .replaceAll(/[^\s"'`]*cellfolio-(?:digests|inputs)-[^\s/"'`]*/g, 'SCRATCH')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|data-\w{6}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(version|id)": ?"[^"]*"/g, '"$1":"HIDDEN"');
}

async function convert({ name, path }) {
  const output = join(folder, 'converted', `${name.replaceAll(/[^\w.-]+/g, '_')}.h5ad`);
  try {
    const genesIn = /unclear|write-table/.test(path) ? 'rows' : undefined;
    await readableFile({ path, name: basename(path) }, output, { genesIn });
  } catch {
    // The refusal is among the digests.
  }
}

/** Two samples with proteins, and one of another format. */
async function combined() {
  const place = (name) => join(ingest, 'src/conversions/fixtures', name);
  const output = join(folder, 'converted', 'combined.h5ad');
  const sample = (name, path) => ({ name, path, source: basename(path), values: new Map([['lane', name]]) });
  const samples = [
    sample('A', place('v3.h5')),
    sample('B', place('v3.h5')),
    sample('C', place('v2-two-genomes.h5')),
  ];
  try {
    await combineSamples(samples.slice(0, 2), output, { genes: 'shared' });
  } catch (error) {
    return [`refused: ${plain(error.message)}`];
  }
  return added({ path: output, options: [] });
}
