/**
 * Imports each file of a folder, and exports all cells of it again with the server: `node round-trip.ts IN OUT`. OUT
 * has the exported files, and `reports.json` with what their reports say.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importH5ad, readableFile } from '@cellfolio/ingest';
import { startTestServer, apiClient } from './running-server.ts';
import { catalogueOf } from './write-test-dataset.ts';

const [from = '', to = ''] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), 'round-trip-'));
const reports: Record<string, unknown> = {};
const names = (await readdir(from)).toSorted();
const idOf = (name: string) =>
  `${name.replaceAll(/[^\w.-]/g, '_').replace(/(\.h5ad)?(\.gz|\.zip)?$/, '')}.h5ad`;
const catalogue = catalogueOf({ name: 'Round trip' });
const server = await startTestServer({}, async ({ objectRoot: root }) => {
  for (const name of names) {
    try {
      const { path } = await readableFile({ path: join(from, name), name }, join(work, name));
      const { report } = await importH5ad({ path, root, id: idOf(name), catalogue });
      reports[name] = {
        id: idOf(name),
        expression: { path: report.expression.source.path, counts: report.expression.countsFrom },
        converted: Object.fromEntries(
          report.columns.flatMap(({ name, kind, converted }) => (converted ? [[name, kind]] : [])),
        ),
        texts: [report.expression.what, ...report.notKept, ...report.warnings.map(({ message }) => message)],
      };
    } catch (error) {
      reports[name] = { refused: String(error) };
    }
  }
});
try {
  const token = await server.signIn('professional');
  for (const name of names) {
    if (!('id' in (reports[name] as object))) continue;
    const api = apiClient(server, token, `tab-${names.indexOf(name)}`);
    const opened = await api.get(`/api/dataset_analysis/${idOf(name)}`);
    if (opened.status !== 200) throw new Error(`${name}: ${JSON.stringify(opened.body).slice(0, 300)}`);
    await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
    const { status, body } = await api.post('/api/export-dataset', {});
    if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 300)}`);
    await writeFile(join(to, idOf(name)), body);
  }
} finally {
  await server.close();
  await rm(work, { recursive: true, force: true });
}
await writeFile(join(to, 'reports.json'), JSON.stringify(reports, null, 1));
