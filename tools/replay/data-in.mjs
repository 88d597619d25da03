// Records how data comes in: by the command line, by uploads and by the jobs that work on them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { headersOf, runCommand, send } from './server.mjs';
import { writeAnswer } from './writer.mjs';

/** Raw counts of 180 cells of three kinds, twelve of them poor, as a table with a gene in each line. */
function countsTable(seed) {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const cells = Array.from({ length: 180 }, (_, cell) => `cell-${cell}`);
  const lines = Array.from({ length: 300 }, (_, gene) => {
    const counts = cells.map((_, cell) => {
      const mean = (gene % 7 === cell % 3 ? 9 : 1) * (cell % 15 === 0 ? 0.1 : 1);
      return Math.floor(-Math.log(1 - random()) * mean);
    });
    return `${gene < 8 ? 'MT-' : ''}GENE${gene},${counts.join()}`;
  });
  return `gene,${cells.join()}\n${lines.join('\n')}\n`;
}

/** Installs a model that tells two types of cells apart, as the operator of a server does. */
export function writeCellModel(dataDir) {
  const genes = [
    'CD3D',
    'CD3E',
    'CD2',
    'LCK',
    'IL7R',
    'CD7',
    'LYZ',
    'CD68',
    'CST3',
    'CD14',
    'AIF1',
    'TYROBP',
  ];
  const model = {
    format: 'cellfolio-logistic-model',
    version: 1,
    name: 'Two types',
    types: ['T', 'Myeloid'],
    genes,
    means: genes.map(() => 0.5),
    scales: genes.map((_, at) => 1 + at / 10),
    intercepts: [-1, -1],
    coefficients: [1, -1].map((sign) => genes.map((_, at) => (at < 6 ? sign : -sign))),
  };
  const folder = join(dataDir, 'cell-models');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'two-types.json'), JSON.stringify(model));
}

/** The command line: what it would add, and what it adds to the data folder before the server starts. */
export function recordCommands(files, checkout, dataDir) {
  const file = join(dataDir, 'counts.csv');
  writeFileSync(file, countsTable(7));
  const add = [
    'dataset',
    'add',
    file,
    '--id',
    'counts.h5ad',
    '--name',
    'Counts',
    '--disease',
    'None',
    '--subdisease',
    'None',
  ];
  for (const [name, ...words] of [
    ['add-dry-run', ...add, '--dry-run'],
    ['add-wrong-option', ...add, '--resolution', '99'],
    ['add', ...add, '--deviations', '5', '--resolution', '0.5'],
    ['list', 'dataset', 'list'],
  ]) {
    files.write(`commands/${name}.txt`, runCommand(checkout, dataDir, words));
  }
}

/** Settings of processing that are not the defaults. */
const choices = { resolution: 0.5, neighbours: 10 };

/** Uploads an exported file and two tables of counts, which are combined, and makes a subclustering. */
export async function recordUploads(files, server, token, dataset) {
  const headers = headersOf(server, token, 'uploads');
  const call = (method, path, body, more) =>
    send(server.address, method, path, { headers: { ...headers, ...more }, body });
  await call('GET', `/api/dataset_analysis/${dataset}`);
  const cells = { subset: { subset_group_name: 'NK', cell_type_filter: true, cell_type: ['NK', 'Mast'] } };
  const exported = await call('POST', '/api/export-dataset', { cells });

  const parts = await call('POST', '/api/subclusterings', {
    name: 'Part',
    definition: 'NK and mast',
    cells,
    choices,
  });
  writeAnswer(files, 'uploads/subclustering/order', parts);
  await recordDataset(files, call, 'uploads/subclustering', await fileOfJob(call, parts));

  const whole = await upload(call, token, 'exported.h5ad', exported.bytes);
  await recordDataset(files, call, 'uploads/exported.h5ad', whole);

  const tables = [];
  for (const seed of [7, 8]) {
    const name = `counts-${seed}.csv.gz`;
    const id = await upload(call, token, name, gzipSync(countsTable(seed)));
    tables.push(id);
    await recordDataset(files, call, `uploads/${name}`, id);
  }
  const samples = tables.map((file_id, at) => ({ file_id, sample: `S${at}`, values: { lane: `L${at}` } }));
  const combined = await call('POST', '/api/combine', { file_name: 'both', samples });
  writeAnswer(files, 'uploads/combined/order', combined);
  await recordDataset(files, call, 'uploads/combined', await fileOfJob(call, combined));
}

/** Answers about a file before and after its dataset is made, and the dataset. */
async function recordDataset(files, call, folder, id) {
  const isMade = ({ dataset }) => ['ready', 'failed'].includes(dataset?.state);
  const inspected = await settled(call, id, (file) => isMade(file) || file.report?.waitsFor?.length > 0);
  files.writeJson(`${folder}/inspected`, inspected);
  if (!isMade(inspected)) {
    writeAnswer(
      files,
      `${folder}/build`,
      await call('POST', `/api/files/${id}/build`, { processing: choices }),
    );
    files.writeJson(`${folder}/built`, await settled(call, id, isMade));
  }
  writeAnswer(files, `${folder}/dataset`, await call('GET', `/api/dataset_analysis/custom:${id}`));
  writeAnswer(files, `${folder}/cells`, await call('POST', '/api/export-cells', {}));
  writeAnswer(files, `${folder}/h5ad`, await call('POST', '/api/export-dataset', {}));
}

async function upload(call, token, name, bytes) {
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  const path = `${sub}/1_${name}`;
  const type = { 'content-type': 'application/octet-stream' };
  const stored = await call('POST', `/storage/v1/object/user-files/${path}`, bytes, type);
  const row = { user_id: sub, file_name: name, original_filename: name, file_path: path };
  const listed = await call('POST', '/rest/v1/user_files', row, { prefer: 'return=representation' });
  if (stored.status >= 300 || listed.status >= 300) {
    throw new Error(`uploading ${name}: ${stored.bytes} ${listed.bytes}`);
  }
  return JSON.parse(listed.bytes)[0].id;
}

/** The file, once it could not be read or is as it should become. */
function settled(call, id, isSettled) {
  return eventually('the work on an upload', async () => {
    const { files } = JSON.parse((await call('GET', '/api/own-files')).bytes);
    const file = files.find((one) => one.file_id === id);
    return file && (file.problem || isSettled(file)) ? file : undefined;
  });
}

/** Id of the file that a job makes. */
async function fileOfJob(call, order) {
  const { id } = JSON.parse(order.bytes).job;
  const ended = await eventually('a job', async () => {
    const { job } = JSON.parse((await call('GET', `/api/jobs/${id}`)).bytes);
    return ['queued', 'running'].includes(job.state) ? undefined : job;
  });
  if (ended.state !== 'done') throw new Error(`a job ended as ${ended.state}: ${ended.problem?.message}`);
  return ended.result_file_id;
}

/** Longest wait for a job, in seconds. */
const jobLimit = 300;

async function eventually(what, look) {
  for (let second = 0; second < jobLimit; second++) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(1000);
  }
  throw new Error(`${what} did not end within ${jobLimit} s`);
}
