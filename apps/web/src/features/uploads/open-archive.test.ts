import { gzipSync } from 'node:zlib';
import { isPackedTar } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { isArchive, openArchive } from './open-archive.ts';

interface MemberOptions {
  name: string;
  content?: string;
  type?: string;
  prefix?: string;
}

function member({ name, content = '', type = '0', prefix = '' }: MemberOptions): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')} `, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\u000000', 257, 'latin1');
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(512 * Math.ceil(Buffer.byteLength(content) / 512));
  body.write(content);
  return Buffer.concat([header, body]);
}

const end = Buffer.alloc(1024);
const matrix = '%%MatrixMarket matrix coordinate integer general\n';

function archive(members: readonly Buffer[], name = 'GSE1_RAW.tar'): File {
  const bytes = Buffer.concat([...members, end]);
  return new File([isPackedTar(name) ? gzipSync(bytes) : bytes], name, { lastModified: 7 });
}

async function contents(file: File, maxBytes: number | null = null) {
  const { files, refused, notes } = await openArchive(file, maxBytes);
  const read = files.map(async (one) => [one.name, await one.text(), one.lastModified]);
  return { files: await Promise.all(read), refused, notes };
}

test.each(['GSE1_RAW.tar', 'GSE1_RAW.tar.gz', 'samples.TGZ'])(
  'the files of %s are as if its folder had been chosen, under the names of their samples',
  async (name) => {
    expect(isArchive(name)).toBe(true);
    const archiveFile = archive(
      [
        member({ name: './', type: '5' }),
        member({ name: './S1/outs/matrix.mtx', content: matrix }),
        member({ name: './S1/outs/._matrix.mtx', content: 'of macOS' }),
        member({ name: 'barcodes.tsv', prefix: 'S2/outs', content: 'AAAC\n' }),
        member({ name: '../S2/outs/GSM1_barcodes.tsv', content: 'AAAG\n' }),
      ],
      name,
    );
    expect(await contents(archiveFile)).toEqual({
      files: [
        ['S1_matrix.mtx', matrix, 7],
        ['S2_barcodes.tsv', 'AAAC\n', 7],
        ['GSM1_barcodes.tsv', 'AAAG\n', 7],
      ],
      refused: [],
      notes: [],
    });
  },
);

test('an archive gives what a folder of its name gives, and says what to unpack', async () => {
  const trio = (directory: string) =>
    ['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((name) =>
      member({ name: `${directory}${name}`, content: matrix }),
    );
  const outs = [...trio('outs/raw_feature_bc_matrix/'), ...trio('outs/filtered_feature_bc_matrix/')];
  const run = await contents(archive(outs, 'donor_A.tar.gz'));
  expect(run.files.map(([name]) => name)).toEqual([
    'donor_A_barcodes.tsv',
    'donor_A_features.tsv',
    'donor_A_matrix.mtx',
  ]);
  expect(run.notes).toEqual([
    'Skipped: 1 raw folder next to a filtered one, such as donor_A/outs/raw_feature_bc_matrix. To upload one, unpack the archive and choose its folder alone.',
  ]);
  const untold = await contents(archive(trio(''), 'filtered_feature_bc_matrix.tar'));
  expect(untold.notes).toEqual([
    'The name of filtered_feature_bc_matrix does not name its sample. Name the archive after it, or rename the files.',
  ]);
});

test('long names are those of the headers before, of pax and of GNU tar', async () => {
  const long = `${'d'.repeat(120)}/matrix.mtx`;
  const field = ` path=${long}\n`;
  const record = `${field.length + 3}${field}`;
  const archiveFile = archive([
    member({ name: 'PaxHeaders', type: 'x', content: record }),
    member({ name: 'cut.csv', content: matrix }),
    member({ name: '././@LongLink', type: 'L', content: `e${long}\0` }),
    member({ name: 'cut.csv', content: matrix }),
    member({ name: 'after.csv', content: 'c' }),
  ]);
  expect((await contents(archiveFile)).files.map(([name]) => name)).toEqual([
    'after.csv',
    long.replace('/', '_'),
    `e${long.replace('/', '_')}`,
  ]);
});

test('what cannot be uploaded is left out by its name', async () => {
  const archiveFile = archive([
    member({ name: 'cells.csv', content: 'a,b\n' }),
    member({ name: 'x/cells.csv', type: '2' }),
    member({ name: 'empty.csv' }),
    member({ name: 'README.md', content: 'text' }),
    member({ name: './cells.csv', content: 'a,c\n' }),
  ]);
  const { files, refused, notes } = await contents(archiveFile);
  expect(files).toEqual([['cells.csv', 'a,b\n', 7]]);
  expect(refused).toEqual([]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^Skipped, as only .*\.mtx.* files can be uploaded: x\/cells\.csv, empty\.csv, README\.md\.$/,
    ),
    'Skipped, as another file has the same name: ./cells.csv.',
  ]);
});

test('an archive without such files, cut short, damaged or of nothing but zeros is refused', async () => {
  const whole = member({ name: 'cells.csv', content: 'a'.repeat(2000) });
  const refused = (file: File, maxBytes: number | null = null) => expect(openArchive(file, maxBytes)).rejects;
  await refused(archive([member({ name: 'README.md', content: 'text' })])).toThrow(/Skipped.*: README.md/);
  await refused(archive([])).toThrow(/is empty/);
  await refused(new File([whole.subarray(0, 1024)], 'a.tar')).toThrow(/ends before its last file/);
  await refused(new File(['x'.repeat(600)], 'a.tar')).toThrow(/headers are not those of a .tar/);
  await refused(new File(['x'.repeat(600)], 'a.tar.gz')).toThrow(/could not be unpacked/);
  const packed = gzipSync(Buffer.concat([whole, end]));
  await refused(new File([packed.subarray(0, 60)], 'a.tar.gz')).toThrow(/could not be unpacked/);
  await refused(archive([whole], 'a.tar.gz'), 1024).toThrow(/more than the 1.02 KB of your storage/);
});

test('an archive that unpacks to more than a hundred times its size is refused while it is unpacked', async () => {
  const zeros = Buffer.alloc(110 * 2 ** 20);
  await expect(openArchive(new File([gzipSync(zeros)], 'bomb.tgz'), null)).rejects.toThrow(
    /more than 100 times its size/,
  );
});
