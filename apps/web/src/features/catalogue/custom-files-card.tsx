import { fileSize } from '@cellfolio/contract';
import { FileUp } from 'lucide-react';
import { Link } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import type { UserFile } from '@/features/uploads/index.ts';
import { customFilePath, FilesFailed, useCustomFiles } from '@/features/uploads/index.ts';
import { longDate } from '@/lib/format.ts';

export function CustomFilesCard({ userId }: { userId: string }) {
  return (
    <Card aria-labelledby="custom-files">
      <CardHeader>
        <CardTitle id="custom-files" className="flex items-center gap-2">
          <FileUp aria-hidden className="text-muted size-4" />
          Browse Custom Files
        </CardTitle>
      </CardHeader>
      <CardContent className="px-2 pb-2">
        <Body userId={userId} />
      </CardContent>
    </Card>
  );
}

function Body({ userId }: { userId: string }) {
  const { files, ...query } = useCustomFiles(userId);
  if (query.isPending) {
    return (
      <div role="status" aria-label="Loading your files" className="px-2 pb-2">
        <Skeleton className="h-10" />
      </div>
    );
  }
  if (files === undefined) {
    return (
      <div className="px-2 pb-2">
        <FilesFailed query={query} />
      </div>
    );
  }
  if (files.length === 0) {
    return (
      <div className="flex flex-col items-start gap-2 px-2 pb-2">
        <p className="text-muted text-[13px]">No H5AD files uploaded yet</p>
        <Button asChild variant="secondary" size="sm">
          <Link to="/upload-data">Upload Files</Link>
        </Button>
      </div>
    );
  }
  return (
    <ul className="max-h-80 overflow-y-auto">
      {files.map((file) => (
        <li key={file.id}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  );
}

function FileLink({ file }: { file: UserFile }) {
  const description = file.description?.trim() ?? '';
  return (
    <Link
      to={customFilePath(file)}
      className="hover:bg-surface-2 flex flex-col gap-0.5 rounded-md px-2 py-1.5 transition-colors"
    >
      <span className="text-[13px] font-medium wrap-anywhere">{file.file_name}</span>
      <span className="text-muted text-xs wrap-anywhere">{file.original_filename}</span>
      {description !== '' && <span className="text-muted line-clamp-2 text-xs">{description}</span>}
      <span className="text-muted text-xs tabular-nums">
        {fileSize(file.file_size)} · {longDate(file.created_at)}
      </span>
    </Link>
  );
}
