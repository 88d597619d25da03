import {
  extensionOf,
  fileSize,
  isSystemFile,
  isUtf16,
  listExtensions,
  refusedFormats,
  roundFileSize,
  uploadExtensions,
  uploadKind,
  uploadKinds,
  type UploadKind,
  utf16Advice,
} from '@cellfolio/contract';

const hdf5Signature = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
// An HDF5 file may begin with other people's bytes; its own then begin at one of these places.
const hdf5Beginnings = [0, 512, 1024, 2048, 4096];
const longestFileName = 1000;

/**
 * Reason why a file cannot be uploaded, checked before anything is sent; `null` if it can. Reads at most the first few
 * kilobytes; the server repeats all checks. `quota`: free bytes of the plan; `null` while unknown.
 */
export async function fileProblem(file: File, quota: number | null): Promise<string | null> {
  const extension = extensionOf(file.name);
  if (isSystemFile(file.name))
    return 'This is a macOS side file: choose the file whose name does not begin with ._';
  if (!uploadExtensions.includes(extension)) {
    const packed = ['.gz', '.bz2', '.xz', '.zst'].includes(extension);
    if (packed) return packedText;
    const format = refusedFormats.get(extension);
    return format === undefined
      ? `${acceptedText} All except ${unpacked} may be gzipped, such as .mtx.gz and .tsv.gz.`
      : `This is ${format.name}. ${acceptedText} ${format.advice}`;
  }
  if (file.name.length > longestFileName) {
    return `Its name is longer than ${longestFileName} characters. Rename the file, then choose it again.`;
  }
  if (file.size === 0) return 'The file is empty. Check how it was exported, then choose it again.';
  if (quota !== null && file.size > quota) {
    return `It has ${fileSize(file.size)}, more than your entire storage of ${roundFileSize(quota)}.`;
  }
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, 4096 + hdf5Signature.length).arrayBuffer());
  } catch {
    return 'The file cannot be read. It may have been moved or be a folder; choose it again.';
  }
  return contentProblem(uploadKind(file.name)!, extension.endsWith('.gz'), head);
}

const acceptedText = `Only ${listExtensions('and')} files can be uploaded.`;
const unpacked = listExtensions(
  'and',
  uploadKinds.filter(({ gzip }) => !gzip),
);
const packedText = `This is a compressed file. Unpack it, then choose the ${listExtensions('or')} file inside.`;

function contentProblem(
  { kind, extension, content, title }: UploadKind,
  packed: boolean,
  head: Uint8Array,
): string | null {
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  if (packed) {
    return gzip
      ? null
      : 'The name ends in .gz, but this is not a gzip file. Compress it again, or remove .gz from its name.';
  }
  if (content === 'r') {
    // R packs what it saves.
    return gzip || (head[0] === 0x58 && head[1] === 0x0a)
      ? null
      : `This is not ${title} that can be read. Save it again in R: saveRDS(x, "file.rds").`;
  }
  // Under a name that does not say so.
  if (gzip) return packedText;
  if (content === 'hdf5') {
    const hasSignature = hdf5Beginnings.some((start) =>
      hdf5Signature.every((byte, position) => head[start + position] === byte),
    );
    return hasSignature ? null : `This is not ${title}: it does not begin as HDF5 files do.`;
  }
  if (content === 'zip')
    return head[0] === 0x50 && head[1] === 0x4b ? null : `This is not a zip file, so not ${title}.`;
  if (isUtf16(head)) return `This is UTF-16 text, which is not supported. ${utf16Advice}`;
  if (head.includes(0)) return `This is not a text file, as ${extension} files are.`;
  // Decoding leaves out a byte-order mark.
  const text = new TextDecoder().decode(head.subarray(0, 64));
  if (kind === 'matrix' && !/^%%MatrixMarket\b/i.test(text)) {
    return 'This is not a Matrix Market file: its first line does not begin with %%MatrixMarket.';
  }
  return null;
}
