import { useState } from 'react';
import { fileProblem } from './check-file.ts';
import type { FilesOfFolders } from './folders/chosen-folders.ts';
import { ArchiveRefused, isArchive, openArchive } from './open-archive.ts';
import { isSameFile } from './queue/pending-uploads.ts';
import { nameWithoutExtension } from './queue/stored-row.ts';
import type { UploadQueue } from './queue/upload-queue.ts';

export interface ChosenFile {
  key: number;
  file: File;
  name: string;
  interrupted: boolean;
}

export interface RefusedFile {
  key: number;
  name: string;
  problem: string;
}

let keys = 0;

export function useChosenFiles(queue: UploadQueue, quota: number | null) {
  const [chosen, setChosen] = useState<readonly ChosenFile[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [notes, setNotes] = useState<readonly string[]>([]);
  // Typed before any file was chosen.
  const [typed, setTyped] = useState('');
  // The archive that is being unpacked.
  const [opening, setOpening] = useState<string | null>(null);

  const choose = async ({ files: inputFiles, ...batch }: FilesOfFolders) => {
    setOpening(inputFiles.find(({ name }) => isArchive(name))?.name ?? null);
    const opened = await Promise.all(inputFiles.map((file) => openedFiles(file, quota)));
    setOpening(null);
    const files = opened.flatMap((one) => one.files);
    const batches = [batch, ...opened];
    const checked = await Promise.all(
      files.map(async (file) => ({
        file,
        problem: (await queue.has(file))
          ? 'This file is being uploaded already.'
          : await fileProblem(file, quota),
      })),
    );
    const problems = checked.flatMap(({ file, problem }) =>
      problem === null ? [] : [{ name: file.name, problem }],
    );
    setRefused(
      [...batches.flatMap((one) => one.refused), ...problems].map(({ name, problem }) => ({
        key: (keys += 1),
        name,
        problem,
      })),
    );
    setNotes(batches.flatMap((one) => one.notes));
    const pending = queue.interrupted();
    const sound = checked.flatMap(({ file, problem }) => {
      if (problem !== null) return [];
      const interruptedUpload = pending.find((upload) => isSameFile(upload, file));
      const name = interruptedUpload?.fileName ?? nameWithoutExtension(file.name);
      return [{ key: (keys += 1), file, name, interrupted: interruptedUpload !== undefined }];
    });
    setChosen((before) => {
      const all = [...before];
      for (const entry of sound) {
        const same = all.some(({ file }) => isSameFile(asIdentity(file), entry.file));
        if (same) continue;
        // A name that is there already stays; it can only be meant for the first.
        all.push(all.length === 0 && typed.trim() !== '' ? { ...entry, name: typed } : entry);
      }
      return all;
    });
    if (sound.length > 0) setTyped('');
  };

  return {
    chosen,
    refused,
    notes,
    opening,
    typed,
    setTyped,
    choose,
    rename: (key: number, name: string) =>
      setChosen((before) => before.map((entry) => (entry.key === key ? { ...entry, name } : entry))),
    remove: (key: number) => setChosen((before) => before.filter((entry) => entry.key !== key)),
    clear: () => {
      setChosen([]);
      setRefused([]);
      setNotes([]);
      setTyped('');
    },
  };
}

async function openedFiles(file: File, quota: number | null): Promise<FilesOfFolders> {
  if (!isArchive(file.name)) return { files: [file], refused: [], notes: [] };
  try {
    return await openArchive(file, quota);
  } catch (error) {
    const problem =
      error instanceof ArchiveRefused
        ? error.message
        : 'The file cannot be read. It may have been moved; choose it again.';
    return { files: [], refused: [{ name: file.name, problem }], notes: [] };
  }
}

const asIdentity = ({ name, size, lastModified }: File) => ({ originalName: name, size, lastModified });
