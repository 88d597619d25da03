import { join } from 'node:path';
import { realDataFolder } from '../../scripts/real-data.mjs';
import { startServer } from './start-server.ts';

const catalogueEntry = Object.entries({
  '--name': 'PBMC 68k, reduced',
  '--disease': 'Healthy',
  '--subdisease': 'Blood',
  '--category1': 'Peripheral blood',
  '--category2': '10x Genomics',
}).flat();

export default () =>
  startServer(['dataset', 'add', join(realDataFolder, 'pbmc68k_reduced.h5ad'), ...catalogueEntry]);
