import { writeSample } from './sample-dataset.ts';

// Writes datasets for ever, replacing one and adding others, until it is killed.
const [root = ''] = process.argv.slice(2);
for (let round = 0; ; round++) {
  await writeSample(root, 'replaced', {
    replace: true,
    cellCount: 400,
    geneCount: 60,
    label: `round ${round}`,
  });
  process.stdout.write('.');
  await writeSample(root, `added-${round}`, { cellCount: 400, geneCount: 60 });
  process.stdout.write('.');
}
