import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logisticModelFormat } from '@cellfolio/analysis';

const genes = [...Array.from({ length: 30 }, (_, at) => `GENE${at + 1}`), 'NOWHERE1', 'NOWHERE2'];
const types = ['=B|calc', 'M', 'T'];
/** A model of genes of `writeAnalysisDataset`, and of two that it lacks. */
export const cellModel = {
  format: logisticModelFormat,
  version: 1,
  name: 'Three types',
  source: 'https://example.org/three',
  licence: 'CC0',
  species: 'human',
  types,
  genes,
  means: genes.map((_, at) => 0.4 + 0.01 * at),
  scales: genes.map((_, at) => 0.5 + 0.02 * at),
  intercepts: [-1, -1.5, -2],
  coefficients: types.map((_, type) => genes.map((__, at) => (Math.floor(at / 10) === type ? 0.5 : -0.2))),
};

/** Writes the model as `three.json` into a new folder; its path. */
export async function writeCellModel(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-models-'));
  await writeFile(join(folder, 'three.json'), JSON.stringify(cellModel));
  return folder;
}
