import { FolderUp, UploadCloud } from 'lucide-react';
import { useId, useState } from 'react';
import { FileButton } from '@/components/file-button.tsx';
import { cn } from '@/lib/cn.ts';
import { droppedFiles, filesOfFolder } from './folders/chosen-folders.ts';
import type { FilesOfFolders } from './folders/chosen-folders.ts';
import { pickedExtensions } from './user-files.ts';

interface FileDropProps {
  disabled: boolean;
  onFiles: (files: FilesOfFolders) => void;
}

export function FileDrop({ disabled, onFiles }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div
      // A browser that gets a file outside opens it in the place of the page.
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = disabled ? 'none' : 'copy';
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!disabled) void droppedFiles(event.dataTransfer).then(onFiles);
      }}
      className={cn(
        'border-input relative flex grow flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-dashed px-4 py-3 transition-colors',
        over && 'border-accent bg-accent-soft',
        disabled ? 'bg-surface-2' : 'hover:bg-surface-2',
        'has-focus-visible:outline-ring has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
      )}
    >
      <UploadCloud aria-hidden className="text-muted size-6 shrink-0" strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-48">
        <label htmlFor={id} className="text-sm font-medium">
          {/* The whole area opens the picker. */}
          {!disabled && <span aria-hidden className="absolute inset-0 cursor-pointer" />}
          Choose files
        </label>
        <p className="text-muted text-xs">or drop files or folders here</p>
        <p className="text-muted text-xs">.gz files are fine; archives are unpacked</p>
      </div>
      <input
        id={id}
        type="file"
        multiple
        accept={pickedExtensions}
        disabled={disabled}
        className="sr-only"
        onChange={(event) => {
          onFiles({ files: Array.from(event.target.files ?? []), refused: [], notes: [] });
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
      <FileButton
        fileLabel="Folder of files"
        folder
        variant="secondary"
        size="xs"
        // Above the area that opens the picker of files.
        className="relative"
        disabled={disabled}
        onFiles={(files) => void filesOfFolder(files).then(onFiles)}
      >
        <FolderUp aria-hidden />
        Choose a folder
      </FileButton>
    </div>
  );
}
