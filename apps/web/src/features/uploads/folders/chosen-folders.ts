import { folderPlan, maxFolderDepth, maxFolderEntries } from './folder-plan.ts';
import type { FolderPlan } from './folder-plan.ts';
import { zipFiles } from './zip-files.ts';

/** Files that a user dropped or chose; those of folders are renamed so that they can be distinguished. */
export interface FilesOfFolders extends Pick<FolderPlan, 'refused' | 'notes'> {
  files: File[];
}

/** For an input that selects a whole folder, whose tree the browser has already walked. */
export async function filesOfFolder(all: readonly File[]): Promise<FilesOfFolders> {
  const within = all.filter(
    ({ webkitRelativePath }) => webkitRelativePath.split('/').length - 2 <= maxFolderDepth,
  );
  const byPath = new Map(within.slice(0, maxFolderEntries).map((file) => [file.webkitRelativePath, file]));
  const folders = new Set(all.map(({ webkitRelativePath }) => webkitRelativePath.split('/', 1)[0]!));
  const { taken, packed, refused, notes } = folderPlan([...byPath.keys()], [...folders]);
  return {
    files: [
      ...taken.map(({ path, name }) => renamed(byPath.get(path)!, name)),
      ...(await zipFiles(packed, async (path) => byPath.get(path)!)),
    ],
    refused,
    notes: within.length > maxFolderEntries ? [...notes, cutText] : notes,
  };
}

/** Reads the files of a drop. Call it while the event is handled: afterwards its items are gone. */
export async function droppedFiles({
  items,
  files,
}: Pick<DataTransfer, 'items' | 'files'>): Promise<FilesOfFolders> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry !== null && isDirectory(entry));
  if (folders.length === 0) return { files: Array.from(files), refused: [], notes: [] };
  const loose = entries.filter((entry) => entry !== null && isFile(entry));
  const walk: Walk = { files: new Map(), left: maxFolderEntries };
  const unreadable: FolderPlan['refused'] = [];
  const read: string[] = [];
  for (const folder of folders) {
    try {
      await walkFolder(folder, folder.name, 0, walk);
      read.push(folder.name);
    } catch {
      unreadable.push({
        name: folder.name,
        problem: 'This folder cannot be read. Check that it is still there.',
      });
    }
  }
  const { taken, packed, refused, notes } = folderPlan([...walk.files.keys()], read);
  const selectedEntries = [
    ...loose.map((entry) => ({ entry, name: entry.name })),
    ...taken.map(({ path, name }) => ({ entry: walk.files.get(path)!, name })),
  ];
  const renamedFiles: File[] = [];
  for (const { entry, name } of selectedEntries) {
    try {
      renamedFiles.push(renamed(await fileOf(entry), name));
    } catch {
      unreadable.push({ name, problem: 'The file cannot be read. It may have been moved; choose it again.' });
    }
  }
  for (const pack of packed) {
    try {
      renamedFiles.push(...(await zipFiles([pack], (path) => fileOf(walk.files.get(path)!))));
    } catch {
      unreadable.push({
        name: pack.name,
        problem: 'Its files cannot be read. They may have been moved; choose the folder again.',
      });
    }
  }
  return {
    files: renamedFiles,
    refused: [...unreadable, ...refused],
    notes: walk.left <= 0 ? [...notes, cutText] : notes,
  };
}

const cutText = `Only the first ${maxFolderEntries} files were checked. Choose the folders of the samples, not one far above them.`;

interface Walk {
  files: Map<string, FileSystemFileEntry>;
  left: number;
}

async function walkFolder(
  folder: FileSystemDirectoryEntry,
  path: string,
  depth: number,
  walk: Walk,
): Promise<void> {
  const reader = folder.createReader();
  while (walk.left > 0) {
    // A browser gives some at a time, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (walk.left <= 0) return;
      walk.left -= 1;
      const below = `${path}/${entry.name}`;
      if (isFile(entry)) walk.files.set(below, entry);
      else if (isDirectory(entry) && depth < maxFolderDepth) await walkFolder(entry, below, depth + 1, walk);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** The same bytes under another name; nothing is read or copied. */
function renamed(file: File, name: string): File {
  if (file.name === name) return file;
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}
