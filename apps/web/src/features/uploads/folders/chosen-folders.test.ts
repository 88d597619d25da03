import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { droppedFiles, filesOfFolder } from './chosen-folders.ts';
import { maxFolderDepth } from './folder-plan.ts';

type Tree = { readonly [name: string]: Tree | string };

function entry(name: string, content: Tree | string): FileSystemEntry {
  if (typeof content === 'string') {
    const file = (resolve: (file: File) => void) => resolve(new File([content], name, { lastModified: 7 }));
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const rest = Object.entries(content).map(([below, inside]) => entry(below, inside));
    return { readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(rest.splice(0, 2)) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

function drop(tree: Tree) {
  const items = Object.entries(tree).map(([name, content]) => ({
    webkitGetAsEntry: () => entry(name, content),
  }));
  return droppedFiles({ items, files: [] } as unknown as DataTransfer);
}

const trio = { 'matrix.mtx': '%%MatrixMarket', 'barcodes.tsv': 'AC', 'features.tsv': 'g' };

test('dropped folders are walked, their files renamed without a change of bytes, and loose files come along', async () => {
  const { files, refused } = await drop({
    donor_A: { outs: { filtered_feature_bc_matrix: trio } },
    'cells.h5ad': 'x',
    donor_B: trio,
    notes: { 'a.docx': '' },
  });
  expect(files.map(({ name }) => name)).toEqual([
    'cells.h5ad',
    ...['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((name) => `donor_A_${name}`),
    ...['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((name) => `donor_B_${name}`),
  ]);
  expect(await files[3]!.text()).toBe('%%MatrixMarket');
  expect(files[3]!.lastModified).toBe(7);
  expect(refused.map(({ name }) => name)).toEqual(['notes']);
});

test('a walk ends at its depth', async () => {
  let deep: Tree = trio;
  for (let level = 0; level <= maxFolderDepth; level++) deep = { [`level ${level}`]: deep };
  const { files, refused } = await drop({ deep });
  expect(files).toEqual([]);
  expect(refused.map(({ name }) => name)).toEqual(['deep']);
});

test('a file of a folder that cannot be opened is reported, and the others are taken', async () => {
  const missingEntry = {
    name: 'gone.h5ad',
    isFile: true,
    isDirectory: false,
    file: (_: unknown, fail: (error: Error) => void) => fail(new Error('gone')),
  };
  const folder = entry('donor_A', trio);
  const { files, refused } = await droppedFiles({
    items: [folder, missingEntry].map((one) => ({ webkitGetAsEntry: () => one })),
    files: [],
  } as unknown as DataTransfer);
  expect(files).toHaveLength(3);
  expect(refused.map(({ name }) => name)).toEqual(['gone.h5ad']);
});

test('a chosen folder gives the same as a dropped one', async () => {
  const all = Object.keys(trio).flatMap((name) =>
    ['A', 'B'].map((donor) =>
      Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: `study/${donor}/${name}` }),
    ),
  );
  expect((await filesOfFolder(all)).files.map(({ name }) => name)).toEqual(
    ['A', 'B'].flatMap((donor) =>
      ['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((name) => `${donor}_${name}`),
    ),
  );
});

test('a run of Cell Ranger becomes one .zip of its matrix and the tables about its cells, the same each time', async () => {
  const tree = {
    S1: {
      outs: { filtered_feature_bc_matrix: trio, spatial: { 'tissue_positions.csv': 'a,b', 'image.png': '' } },
    },
  };
  const [first, second] = await Promise.all([drop(tree), drop(tree)]);
  expect(first.files.map(({ name }) => name)).toEqual(['S1.zip']);
  const bytes = new Uint8Array(await first.files[0]!.arrayBuffer());
  expect(new Uint8Array(await second.files[0]!.arrayBuffer())).toEqual(bytes);
  expect(
    Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, file]) => [path, strFromU8(file)])),
  ).toEqual({
    ...Object.fromEntries(
      Object.entries(trio).map(([name, text]) => [`S1/outs/filtered_feature_bc_matrix/${name}`, text]),
    ),
    'S1/outs/spatial/tissue_positions.csv': 'a,b',
  });
});
