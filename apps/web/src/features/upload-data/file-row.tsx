import { Download, Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { UserFile } from '@/features/user-files/user-file.ts';
import { fileSize } from '@/lib/file-size.ts';
import { longDate } from '@/lib/long-date.ts';
import { FileBadge } from './file-badge.tsx';

interface FileRowProps {
  file: UserFile;
  selected: boolean;
  deleting: boolean;
  onSelect: (selected: boolean) => void;
  onDownload: () => void;
  onDelete: () => void;
}

export function FileRow({ file, selected, deleting, onSelect, onDownload, onDelete }: FileRowProps) {
  const { file_name, original_filename, file_size, mime_type, created_at } = file;
  const description = file.description?.trim() ?? '';
  return (
    <li className="flex items-start gap-3 px-3 py-2.5" aria-busy={deleting}>
      <Checkbox
        className="mt-0.5"
        aria-label={`Select ${file_name}`}
        checked={selected}
        onCheckedChange={(checked) => onSelect(checked === true)}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <p className="line-clamp-2 min-w-0 text-sm font-medium wrap-anywhere">{file_name}</p>
          <FileBadge name={original_filename} />
        </div>
        <p className="text-muted line-clamp-2 text-xs wrap-anywhere" title={original_filename}>
          {original_filename}
        </p>
        {description !== '' && (
          <p className="line-clamp-3 text-[13px] wrap-anywhere whitespace-pre-line">{description}</p>
        )}
        <p className="text-muted flex flex-wrap gap-x-3 text-xs tabular-nums">
          <span>{fileSize(file_size)}</span>
          <span className="wrap-anywhere">{mime_type ?? 'Unknown type'}</span>
          <span>{longDate(created_at)}</span>
        </p>
      </div>
      <div className="flex">
        <Button variant="ghost" size="icon-sm" aria-label={`Download ${file_name}`} onClick={onDownload}>
          <Download aria-hidden />
        </Button>
        <Button
          variant="danger"
          size="icon-sm"
          aria-label={`Delete ${file_name}`}
          disabled={deleting}
          onClick={onDelete}
        >
          {deleting ? <Spinner /> : <Trash2 aria-hidden />}
        </Button>
      </div>
    </li>
  );
}
