import { gzipSync } from 'node:zlib';
import { isPackedTar } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { isArchive, openArchive } from './open-archive.ts';

interface Given {
  readonly name: string;
  readonly content?: string;
  readonly type?: string;
  readonly prefix?: string;
}

/** A header of ustar and its content, as tar writes them. */
function member({ name, content = '', type = '0', prefix = '' }: Given): Buffer<ArrayBuffer> {
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

async function contents(file: File, most: number | null = null) {
  const { files, leftOut } = await openArchive(file, most);
  const read = files.map(async (one) => [one.name, await one.text(), one.lastModified]);
  return { files: await Promise.all(read), leftOut };
}

test.each(['GSE1_RAW.tar', 'GSE1_RAW.tar.gz', 'samples.TGZ'])(
  'the files of %s are as if they had been chosen, under the names of their folders',
  async (name) => {
    expect(isArchive(name)).toBe(true);
    const given = archive(
      [
        member({ name: './', type: '5' }),
        member({ name: './S1/matrix.mtx', content: matrix }),
        member({ name: './S1/._matrix.mtx', content: 'of macOS' }),
        member({ name: 'barcodes.tsv', prefix: 'S1/sub', content: 'AAAC\n' }),
      ],
      name,
    );
    expect(await contents(given)).toEqual({
      files: [
        ['S1_matrix.mtx', matrix, 7],
        ['S1_sub_barcodes.tsv', 'AAAC\n', 7],
      ],
      leftOut: null,
    });
  },
);

test('long names are those of the headers before, of pax and of GNU tar', async () => {
  const long = `${'d'.repeat(120)}/counts.csv`;
  const field = ` path=${long}\n`;
  const record = `${field.length + 3}${field}`;
  const given = archive([
    member({ name: 'PaxHeaders', type: 'x', content: record }),
    member({ name: 'cut.csv', content: 'a' }),
    member({ name: '././@LongLink', type: 'L', content: `2${long}\0` }),
    member({ name: 'cut.csv', content: 'b' }),
    member({ name: 'after.csv', content: 'c' }),
  ]);
  expect((await contents(given)).files.map(([name]) => name)).toEqual([
    long.replace('/', '_'),
    `2${long.replace('/', '_')}`,
    'after.csv',
  ]);
});

test('what cannot be uploaded is left out by its name', async () => {
  const given = archive([
    member({ name: 'cells.csv', content: 'a,b\n' }),
    member({ name: 'x/cells.csv', type: '2' }),
    member({ name: 'empty.csv' }),
    member({ name: 'README.md', content: 'text' }),
    member({ name: './cells.csv', content: 'a,c\n' }),
  ]);
  const { files, leftOut } = await contents(given);
  expect(files).toEqual([['cells.csv', 'a,b\n', 7]]);
  expect(leftOut).toMatch(
    /^Left out, as only .*\.mtx.* files can be uploaded: x\/cells\.csv, empty\.csv, README\.md\. Left out, as another file has the name: \.\/cells\.csv\.$/,
  );
});

test('an archive without such files, cut short, damaged or of nothing but zeros is refused', async () => {
  const whole = member({ name: 'cells.csv', content: 'a'.repeat(2000) });
  const refused = (file: File, most: number | null = null) => expect(openArchive(file, most)).rejects;
  await refused(archive([member({ name: 'README.md', content: 'text' })])).toThrow(/Left out.*: README.md/);
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
