import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MatrixMarketFiles } from '../matrix-market/convert-matrix-market.ts';

/** Writes counts (cells x features, row-major) as a Matrix Market trio like Cell Ranger's. */
export function writeTrio(
  folder: string,
  features: readonly { name: string; type: string }[],
  counts: Float64Array,
): MatrixMarketFiles {
  const file = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return { path, name };
  };
  const width = features.length;
  const cells = counts.length / width;
  const entries: string[] = [];
  counts.forEach((count, at) => {
    if (count > 0) entries.push(`${(at % width) + 1} ${Math.floor(at / width) + 1} ${count}\n`);
  });
  const size = `${width} ${cells} ${entries.length}`;
  return {
    matrix: file(
      'matrix.mtx',
      `%%MatrixMarket matrix coordinate integer general\n${size}\n${entries.join('')}`,
    ),
    tables: [
      file('barcodes.tsv', Array.from({ length: cells }, (_, cell) => `C${cell}-1\n`).join('')),
      file('features.tsv', features.map(({ name, type }, at) => `ID${at}\t${name}\t${type}\n`).join('')),
    ],
  };
}
