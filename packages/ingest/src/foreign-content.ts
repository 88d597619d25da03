import { closeSync, openSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { isUtf16, utf16Advice } from '@cellfolio/model';

/** Actual content of a file that was taken for an .h5ad file, to follow 'this is', and advice. */
interface ForeignContent {
  what: string;
  hint: string;
  packed: boolean;
}

/** Maximum packed bytes examined: the first 512 unpacked bytes identify the content, and no bomb fits into them. */
const headBytes = 4096;

const trio = 'matrix.mtx.gz, barcodes.tsv.gz and features.tsv.gz';

/** Format of a file that is not HDF5, by its first bytes. Undefined if unknown or unreadable. */
export function foreignContent(path: string): ForeignContent | undefined {
  const head = firstBytes(path);
  if (head === undefined) return undefined;
  const bySignature = contentBySignature(head);
  if (bySignature !== undefined) return bySignature;
  if (starts(head, '\u001f\u008b')) return insideGzip(unpackedHead(head));
  return insidePacked(head);
}

function insidePacked(head: Buffer): ForeignContent | undefined {
  if (starts(head, 'PK\u0003\u0004')) return insideZip(head);
  const packer = packers.find(([start]) => starts(head, start))?.[1];
  return packer === undefined ? undefined : packedBy(packer);
}

/** First bytes of a file, gunzipped if necessary. Undefined if unreadable. */
export function fileHead(path: string): { packed: boolean; head: Buffer } | undefined {
  const head = firstBytes(path);
  const packed = head !== undefined && starts(head, '\u001f\u008b');
  return head && { packed, head: packed ? unpackedHead(head) : head };
}

/**
 * Format of a file that should be text, by its first bytes, gunzipped if necessary. Undefined if it may be text, or is
 * unreadable.
 */
export function foreignText(path: string): ForeignContent | undefined {
  const look = fileHead(path);
  if (look === undefined) return undefined;
  const { head } = look;
  if (starts(head, '%%MatrixMarket')) return undefined;
  if (starts(head, '\u0089HDF')) return hdf5;
  if (isUtf16(head)) return utf16;
  if (/^\s*<(?:!doctype html|html)/i.test(head.toString('latin1', 0, 64))) return webPage;
  if (starts(head, '\u001f\u008b')) return packedBy('gzip twice');
  return contentBySignature(head) ?? insidePacked(head);
}

const hdf5: ForeignContent = {
  what: 'an HDF5 file',
  hint: 'Give it the ending of its format, such as .h5ad, .h5 or .loom, and use it as that.',
  packed: false,
};

const utf16: ForeignContent = {
  what: 'text in UTF-16',
  hint: `${utf16Advice} Then use that.`,
  packed: false,
};

const webPage: ForeignContent = {
  what: 'a web page',
  hint: 'The address gave a page instead of the file: download the file itself.',
  packed: false,
};

export const rWorkspace: ForeignContent = {
  what: 'an R workspace (.RData)',
  hint: 'In R, load() it and save its one object: saveRDS(x, "file.rds").',
  packed: false,
};

export function isRWorkspace(head: Buffer): boolean {
  return /^RD[XAB]\d\n/.test(head.toString('latin1', 0, 5));
}

const packers: readonly (readonly [start: string, name: string])[] = [
  ['BZh', 'bzip2'],
  ['\u00fd7zXZ', 'xz'],
  ['\u0028\u00b5\u002f\u00fd', 'zstd'],
  ['7z\u00bc\u00af', '7-Zip'],
  ['Rar!', 'RAR'],
];

function contentBySignature(head: Buffer): ForeignContent | undefined {
  if (starts(head, 'X\n\0\0'))
    return { what: 'an R object (.rds)', hint: 'Call it .rds and use it as that.', packed: false };
  if (isRWorkspace(head)) return rWorkspace;
  if (starts(head, '%%MatrixMarket')) {
    return {
      what: 'a Matrix Market matrix (.mtx)',
      hint: `A matrix needs the names of its cells and genes: use the three files ${trio} under names that end so.`,
      packed: false,
    };
  }
  if (starts(head, '\0\u0005\u0016\u0007')) {
    return {
      what: 'what macOS keeps beside a file (._…)',
      hint: 'Use the file whose name is the same without ._ before it.',
      packed: false,
    };
  }
  if (head.toString('latin1', 257, 262) === 'ustar') return folder('.tar');
  return undefined;
}

function insideGzip(head: Buffer): ForeignContent {
  if (starts(head, '\u0089HDF')) return { ...packedBy('gzip'), what: 'an HDF5 file packed with gzip' };
  if (head.toString('latin1', 257, 262) === 'ustar') return folder('.tar.gz');
  const inside = contentBySignature(head);
  if (inside === undefined) return packedBy('gzip');
  return !inside.what.startsWith('a Matrix')
    ? inside
    : { ...inside, what: 'a Matrix Market matrix (.mtx.gz)' };
}

function insideZip(head: Buffer): ForeignContent {
  const first = head.toString('latin1', 30, 30 + head.readUInt16LE(26));
  if (/(^|\/)(\.z(group|attrs|array|metadata)|zarr\.json)$|\.zarr\//.test(first)) {
    return {
      what: 'an AnnData-Zarr folder packed as zip',
      hint: 'Unpack it, then in Python: anndata.read_zarr("folder.zarr").write_h5ad("file.h5ad").',
      packed: false,
    };
  }
  if (/^(\[Content_Types\]|_rels\/|xl\/|docProps\/)/.test(first)) {
    return {
      what: 'an Excel workbook or another Office document',
      hint: 'Export its contents, and use the .h5ad file that the values came from.',
      packed: false,
    };
  }
  return packedBy('zip');
}

function packedBy(name: string): ForeignContent {
  return { what: `a file packed with ${name}`, hint: 'Unpack it, and use the file inside.', packed: true };
}

function folder(extension: string): ForeignContent {
  return {
    what: `a packed folder (${extension})`,
    hint: `Unpack it and use the file inside; of Cell Ranger's folder, ${trio}.`,
    packed: false,
  };
}

function firstBytes(path: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(headBytes);
      const length = readSync(file, head, 0, headBytes, 0);
      // Zeros behind a short file, so that every place that is looked at exists.
      return head.fill(0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Beginning of the unpacked data; zeros if the gzip data is damaged. */
function unpackedHead(head: Buffer): Buffer {
  const inside = Buffer.alloc(512);
  try {
    gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).copy(inside);
  } catch {
    // It is packed by gzip all the same.
  }
  return inside;
}

function starts(head: Buffer, start: string): boolean {
  return head.toString('latin1', 0, start.length) === start;
}
