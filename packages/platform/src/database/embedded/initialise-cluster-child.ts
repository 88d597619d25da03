import { PGlite } from '@electric-sql/pglite';
import { syncTree } from '@cellfolio/bytes';
import { DurableNodeFs } from './durable-node-fs.ts';
import { engineModule } from './engine-module.ts';
import { startParameters } from './engine-messages.ts';

const folder = process.argv[2];
if (!folder) throw new Error('No folder given.');
const engine = await PGlite.create({
  fs: new DurableNodeFs(folder),
  startParams: [...startParameters],
  pgliteWasmModule: engineModule(),
});
await engine.exec('checkpoint');
await engine.close();
// The library copies the new files in without syncing them.
await syncTree(folder);
process.exit(0);
