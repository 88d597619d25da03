import { screen, writeScreen } from '../data/screen.ts';
// Writes a screen in a process of its own, as it is held in memory while it is written:
//     node write.ts FILE CELLS GENES GROUPS DENSITY
const [file, ...numbers] = process.argv.slice(2) as [string, ...string[]];
const [cells, genes, groups, density] = numbers.map(Number) as [number, number, number, number];
const data = screen({ cells, genes, groups, density });
await writeScreen(file, data);
process.stdout.write(`${JSON.stringify({ entries: data.entries })}\n`);
