import { expect, test } from 'vitest';
import { fileProblem } from './check-file.ts';
import { isConvertible } from './trio.ts';
import { failureText, isPlanFailure, waitingText } from './queue/failure-text.ts';
import { forgetUpload, pendingUploads, rememberUpload } from './queue/pending-uploads.ts';
import { nameWithoutExtension, storagePath } from './queue/stored-row.ts';
import { timeLeftText, TransferFailed, TransferRate } from './queue/transfer.ts';

const hdf5 = '\u{89}HDF\r\n\u{1a}\n';
const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const file = (name: string, text: string) => new File([bytes(text)], name);

test.each([
  ['cells.h5ad', hdf5, /^sound$/],
  ['cells.h5ad', 'x'.repeat(512) + hdf5, /^sound$/],
  ['Counts.MTX', '%%MatrixMarket matrix coordinate integer general\n', /^sound$/],
  ['counts.mtx', '\u{ef}\u{bb}\u{bf}%%matrixmarket matrix', /^sound$/],
  ['barcodes.tsv', 'AAACCTG\n', /^sound$/],
  ['cells.h5ad', '\u{89}PNG\r\n', /not an AnnData file/],
  ['counts.mtx', '3 3 1\n', /does not begin with %%MatrixMarket/],
  ['barcodes.tsv', 'AA\0', /not a text file/],
  ['counts.mtx', '\u{89}PNG\r\n\0', /not a text file, as .mtx files are/],
  ['barcodes.tsv', '', /empty/],
  ['barcodes.tsv', [...'AAACCTGA\n'].join('\0'), /UTF-16 text.*Save it as UTF-8/],
  ['._matrix.mtx.gz', '\0\u{5}\u{16}\u{7}', /macOS/],
  ['counts.csv', 'gene,A,B\n', /^sound$/],
  ['counts.xlsx', 'PK', /Only .mtx, .tsv.* files can be uploaded/],
  ['counts.txt', 'gene A B', /Only .mtx, .tsv.* files can be uploaded.*rename it to .csv/],
  ['matrix.mtx.gz', '\u{1f}\u{8b}\u{8}\0', /^sound$/],
  ['GSM1_Barcodes.TSV.GZ', '\u{1f}\u{8b}\u{8}\0', /^sound$/],
  ['matrix.mtx.gz', '%%MatrixMarket', /not a gzip file/],
  ['features.tsv.gz', '', /empty/],
  ['cells.h5ad.gz', '\u{1f}\u{8b}\u{8}\0', /^sound$/],
  ['cells.h5ad.gz', hdf5, /not a gzip file/],
  ['cells.zarr.zip', 'PK\u{3}\u{4}', /^sound$/],
  ['cells.zarr.zip', hdf5, /not a zip file/],
  ['folder.tar.gz', '\u{1f}\u{8b}\u{8}\0', /Unpack it/],
  ['.mtx.gz', '\u{1f}\u{8b}\u{8}\0', /Unpack it/],
  ['filtered_feature_bc_matrix.h5', hdf5, /^sound$/],
  ['cells.loom', hdf5, /^sound$/],
  ['cells.loom', 'PK', /not a Loom file/],
  ['cells.h5Seurat', hdf5, /^sound$/],
  ['cells.h5Seurat', 'PK', /not an h5Seurat file/],
  ['cells.h5mu', hdf5, /^sound$/],
  ['cells.h5mu', 'PK', /not a MuData file/],
  ['matrix.mtx', '\u{1f}\u{8b}\u{8}\0', /Unpack it/],
  ['.mtx', '%%MatrixMarket', /Only .mtx, .tsv.* files can be uploaded/],
  [`${'a'.repeat(1001)}.tsv`, 'AA', /longer than 1000 characters/],
])('%s is judged before it is sent (%#)', async (name, text, problem) => {
  expect((await fileProblem(file(name, text), 200e9)) ?? 'sound').toMatch(problem);
});

test('a path has the time, the name as far as the service takes it, and the extension', () => {
  expect(storagePath('ada', 7, 'Mouse brain', 'matrix.MTX')).toBe('ada/7_Mouse_brain.mtx');
  expect(storagePath('ada', 7, '../../x/<b>é', 'a.b.h5ad')).toBe('ada/7_.._.._x__b__.h5ad');
  expect(storagePath('ada', 7, '🧠'.repeat(300), 'a.tsv')).toHaveLength('ada/7_.tsv'.length + 100);
  expect(nameWithoutExtension('pbmc.v2.h5ad')).toBe('pbmc.v2');
  expect(storagePath('ada', 7, 'Liver', 'GSM1_matrix.MTX.gz')).toBe('ada/7_Liver.mtx.gz');
  expect(nameWithoutExtension('GSM1_matrix.mtx.gz')).toBe('GSM1_matrix');
});

test('only one matrix and two metadata files are convertible', () => {
  const named = (...names: string[]) => names.map((original_filename) => ({ original_filename }));
  expect(isConvertible(named('a.mtx', 'b.tsv', 'c.TSV'))).toBe(true);
  expect(isConvertible(named('matrix.mtx.gz', 'barcodes.tsv.gz', 'features.tsv'))).toBe(true);
  expect(isConvertible(named('a.mtx', 'b.tsv'))).toBe(false);
  expect(isConvertible(named('a.mtx', 'b.tsv', 'c.tsv', 'd.tsv'))).toBe(false);
  expect(isConvertible(named('a.mtx', 'b.tsv', 'c.h5ad'))).toBe(false);
});

test('the rate is that of the last seconds, and the time left follows it', () => {
  const rate = new TransferRate();
  rate.add(0, 0);
  expect(rate.rate()).toBeNull();
  for (let second = 1; second <= 20; second += 1) rate.add(second * 1000, second * 1000);
  expect(rate.rate()).toBe(1000);
  for (let second = 21; second <= 40; second += 1) rate.add(second * 1000, 20_000 + (second - 20) * 5000);
  expect(rate.rate()).toBe(5000);
  expect(timeLeftText(5000, null)).toBeNull();
  expect(timeLeftText(5000, 1000)).toBe('a few seconds left');
  expect(timeLeftText(35_000, 1000)).toBe('40 s left');
  expect(timeLeftText(170_000, 1000)).toBe('3 min left');
  expect(timeLeftText(3_900_000, 1000)).toBe('1 h 5 min left');
});

test('what a browser has kept of begun uploads is read with care, for a day, and per user', () => {
  const upload = {
    path: 'ada/1_a.tsv',
    fileName: 'a',
    description: null,
    originalName: 'a.tsv',
    size: 2,
    lastModified: 3,
    startedAt: 1000,
    url: null,
  };
  rememberUpload('ada', upload, 1000);
  rememberUpload('ada', { ...upload, url: 'http://cellfolio.test/1' }, 1000);
  expect(pendingUploads('ada', 2000)).toEqual([{ ...upload, url: 'http://cellfolio.test/1' }]);
  expect(pendingUploads('bob', 2000)).toEqual([]);
  expect(pendingUploads('ada', 1000 + 25 * 3600 * 1000)).toEqual([]);
  forgetUpload('ada', upload.path, 2000);
  expect(pendingUploads('ada', 2000)).toEqual([]);
  for (const broken of ['{', '7', '[null, {"path": 1}]']) {
    localStorage.setItem('cellfolio:uploads:ada', broken);
    expect(pendingUploads('ada', 2000)).toEqual([]);
  }
});

test.each([
  [413, 'There is not enough space: 1 MB of 200 GB are free.\n', /^There is not enough space: 1 MB/],
  [401, '', /Sign in again/],
  [403, 'invalid JWT: the access token has expired.', /Sign in again/],
  [403, 'new row violates row-level security policy', /upgrade to Professional/],
  [500, '<html>', /could not accept the file \(500\)/],
  [null, '', /does not answer/],
])('a refusal of %s becomes a text that says what to do', (status, answer, text) => {
  const failure = new TransferFailed(status, answer);
  expect(failureText(failure)).toMatch(text);
  expect(isPlanFailure(failure)).toBe(status === 403 && answer.startsWith('new row'));
});

test('an upload that waits says whether for the line or for the server', () => {
  expect(waitingText(new TransferFailed(null, ''))).toMatch(/^Connection lost\./);
  expect(waitingText(new TransferFailed(503, 'busy'))).toMatch(
    /^The server cannot accept the upload right now\./,
  );
});
