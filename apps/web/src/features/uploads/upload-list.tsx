import { fileSize } from '@cellfolio/contract';
import { Pause, Play, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { FileButton } from '@/components/file-button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { pickedExtensions } from './user-files.ts';
import { failureText, waitingText } from './queue/failure-text.ts';
import { isSameFile, useHeldElsewhere } from './queue/pending-uploads.ts';
import type { PendingUpload } from './queue/pending-uploads.ts';
import { timeLeftText } from './queue/transfer.ts';
import type { UploadItem } from './queue/upload-items.ts';
import type { UploadQueue } from './queue/upload-queue.ts';

interface UploadListProps {
  queue: UploadQueue;
  items: readonly UploadItem[];
  resumable: boolean;
}

export function UploadList({ queue, items, resumable }: UploadListProps) {
  const interrupted = queue.interrupted();
  if (items.length === 0 && interrupted.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="divide-border divide-y rounded-md border">
      {items.map((item) => (
        <UploadRow key={item.id} item={item} queue={queue} />
      ))}
      {interrupted.map((upload) => (
        <InterruptedRow key={upload.path} upload={upload} queue={queue} resumable={resumable} />
      ))}
    </ul>
  );
}

function UploadRow({ item, queue }: { item: UploadItem; queue: UploadQueue }) {
  const { id, fileName, originalName, phase, size, sent, rate, error } = item;
  const left = timeLeftText(size - sent, rate);
  return (
    <li className="flex items-center gap-3 px-3 py-2.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="min-w-0 truncate text-[13px] font-medium" title={originalName}>
            {fileName}
          </p>
          <p className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
            <span>
              {fileSize(sent)} of {fileSize(size)}
            </span>
            {rate !== null && <span>{fileSize(rate)}/s</span>}
            {left !== null && <span>{left}</span>}
          </p>
        </div>
        <Progress aria-label={`Upload of ${fileName}`} value={Math.floor((sent / size) * 100)} />
        <p
          role="status"
          className={phase === 'failed' ? 'text-danger text-xs wrap-anywhere' : 'text-muted text-xs'}
        >
          {phase === 'failed'
            ? failureText(error)
            : phase === 'waiting'
              ? waitingText(error)
              : phaseTexts[phase]}
        </p>
      </div>
      <div className="flex w-14 justify-end">
        {(phase === 'uploading' || phase === 'waiting' || phase === 'queued') && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Pause ${fileName}`}
            onClick={() => queue.pause(id)}
          >
            <Pause aria-hidden />
          </Button>
        )}
        {phase === 'paused' && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Continue ${fileName}`}
            onClick={() => queue.continue(id)}
          >
            <Play aria-hidden />
          </Button>
        )}
        {phase === 'failed' && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Try ${fileName} again`}
            onClick={() => queue.continue(id)}
          >
            <RotateCcw aria-hidden />
          </Button>
        )}
        {phase !== 'saving' && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Cancel ${fileName}`}
            onClick={() => void queue.cancel(id)}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
    </li>
  );
}

const phaseTexts = {
  queued: 'Waiting for the previous upload',
  uploading: 'Uploading...',
  paused: 'Paused. The uploaded part is kept for a day.',
  saving: 'Adding it to your files...',
} as const;

interface InterruptedRowProps {
  upload: PendingUpload;
  queue: UploadQueue;
  resumable: boolean;
}

/** Whether a file came from a folder whose name was prefixed: `donor_A_matrix.mtx.gz`. */
function isFromFolder(upload: PendingUpload, file: File): boolean {
  return (
    upload.originalName.endsWith(`_${file.name}`) && isSameFile({ ...upload, originalName: file.name }, file)
  );
}

function InterruptedRow({ upload, queue, resumable }: InterruptedRowProps) {
  const [other, setOther] = useState<string | null>(null);
  if (useHeldElsewhere(upload.path)) {
    return (
      <li className="px-3 py-2.5">
        <p className="truncate text-[13px] font-medium">{upload.fileName}</p>
        <p className="text-muted text-xs">Continues in another tab of this browser.</p>
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="truncate text-[13px] font-medium">{upload.fileName}</p>
        <p className="text-muted text-xs wrap-anywhere">
          Interrupted. Choose {upload.originalName} ({fileSize(upload.size)}) again to resume where it
          stopped.
        </p>
        {other !== null && (
          <p role="alert" className="text-danger text-xs wrap-anywhere">
            {other} is not the same file: its name, size or date differs. Choose {upload.originalName},
            unchanged.
          </p>
        )}
      </div>
      <div className="flex gap-1">
        <FileButton
          fileLabel={`The file of ${upload.fileName}`}
          accept={pickedExtensions}
          variant="secondary"
          size="sm"
          disabled={!resumable}
          aria-label={`Choose file ${upload.originalName} again`}
          onFiles={([file]) => {
            if (isSameFile(upload, file) || isFromFolder(upload, file)) queue.resume(upload, file);
            else setOther(file.name);
          }}
        >
          Choose file
        </FileButton>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Discard ${upload.fileName}`}
          onClick={() => void queue.discard(upload)}
        >
          Discard
        </Button>
      </div>
    </li>
  );
}
