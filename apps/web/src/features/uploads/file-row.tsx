import { fileSize, type GenesIn, isDatasetFile, uploadKind } from '@cellfolio/contract';
import { ArrowRight, ChevronDown, Download, SlidersHorizontal, Trash2 } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { Link } from 'react-router';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { CollapsibleContent } from '@/components/ui/collapsible.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { longDate, longDateTime } from '@/lib/format.ts';
import { DatasetLine, InspectionLine } from './file-lines.tsx';
import { isOpenable, settingsTitle, waitsForReview } from './file-state.ts';
import type { FileState } from './file-state.ts';
import { ReportDetails } from './reports/report-details.tsx';
import { customFilePath } from './user-files.ts';
import type { UserFile } from './user-files.ts';

interface FileRowProps {
  file: UserFile;
  /** Absent until the server lists the file. */
  state: FileState | undefined;
  isSample: boolean;
  selected: boolean;
  /** Shows the upload time, because another file has the same name. */
  timed: boolean;
  deleting: boolean;
  onInspect: (() => void) | undefined;
  inspectDisabled: boolean;
  onGenesIn: ((side: GenesIn) => void) | undefined;
  onSelect: (selected: boolean) => void;
  onSettings: () => void;
  onDownload: () => void;
  onDelete: () => void;
}

export function FileRow({
  file,
  state,
  isSample,
  selected,
  timed,
  deleting,
  inspectDisabled,
  ...on
}: FileRowProps) {
  const { file_name, original_filename, file_size, mime_type, created_at } = file;
  const description = file.description?.trim() ?? '';
  const isDataset = isDatasetFile(original_filename);
  const report = state?.report ?? null;
  return (
    <li className="px-3 py-2.5" aria-busy={deleting}>
      <Collapsible.Root>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <Checkbox
            // The box of the conversion stays above while files are selected.
            className="-mt-0.5 scroll-mt-48"
            aria-label={`Select ${file_name}`}
            checked={selected}
            onCheckedChange={(checked) => on.onSelect(checked === true)}
          />
          <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <p className="line-clamp-2 min-w-0 text-sm font-medium wrap-anywhere">{file_name}</p>
              <FileBadge name={original_filename} />
            </div>
            <p className="text-muted flex flex-wrap gap-x-3 text-xs leading-5 tabular-nums">
              <span className="line-clamp-2 wrap-anywhere" title={original_filename}>
                {original_filename}
              </span>
              <span>{fileSize(file_size)}</span>
              <span className="wrap-anywhere">{mime_type ?? 'Unknown type'}</span>
              <span>{timed ? longDateTime(created_at) : longDate(created_at)}</span>
            </p>
            {description !== '' && (
              <p className="line-clamp-3 text-[13px] wrap-anywhere whitespace-pre-line">{description}</p>
            )}
            <InspectionLine state={state} onInspect={on.onInspect} inspectDisabled={inspectDisabled} />
            {isDataset && (
              <DatasetLine
                state={state}
                isSample={isSample}
                onSettings={on.onSettings}
                onGenesIn={on.onGenesIn}
                disabled={inspectDisabled}
              />
            )}
          </div>
          <FileActions {...{ file, state, isSample, deleting }} {...on} />
        </div>
        {report !== null && (
          <CollapsibleContent>
            <div className="pt-2 pl-7">
              <ReportDetails fileId={file.id} report={report} dataset={state?.dataset ?? null} />
            </div>
          </CollapsibleContent>
        )}
      </Collapsible.Root>
    </li>
  );
}

type FileActionsProps = Pick<
  FileRowProps,
  'file' | 'state' | 'isSample' | 'deleting' | 'onSettings' | 'onDownload' | 'onDelete'
>;

function FileActions({
  file,
  state,
  isSample,
  deleting,
  onSettings,
  onDownload,
  onDelete,
}: FileActionsProps) {
  const { file_name } = file;
  const report = state?.report ?? null;
  const title = state && report?.kind === 'h5ad' ? settingsTitle(state) : undefined;
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
      {isOpenable(state?.dataset ?? null) && (
        <Button asChild size="xs" className="mr-1">
          <Link to={customFilePath(file)} aria-label={`Explore ${file_name}`}>
            Explore
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      )}
      {title !== undefined && title !== 'Columns and settings' && (
        <Button
          // A sample can still be built alone, but that is not its owner's next step.
          variant={waitsForReview(state) && !isSample ? 'primary' : 'ghost'}
          size="xs"
          className="mr-1"
          aria-label={`${title} of ${file_name}`}
          onClick={onSettings}
        >
          {title}
        </Button>
      )}
      {report !== null && (
        <Collapsible.Trigger asChild>
          <Button variant="ghost" size="xs" className="group" aria-label={`Details of ${file_name}`}>
            Details
            <ChevronDown
              aria-hidden
              className="text-muted transition-transform duration-150 group-data-[state=open]:rotate-180"
            />
          </Button>
        </Collapsible.Trigger>
      )}
      {title === 'Columns and settings' && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Columns and settings of ${file_name}`}
          title="Columns and settings"
          onClick={onSettings}
        >
          <SlidersHorizontal aria-hidden />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Download ${file_name}`}
        title="Download the file that was uploaded"
        onClick={onDownload}
      >
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
  );
}

const variants = new Map<string, 'blue' | 'success' | 'purple'>([
  ['matrix', 'blue'],
  ['metadata', 'success'],
]);

export function FileBadge({ name }: { name: string }) {
  const { kind, dataset } = uploadKind(name) ?? { kind: 'unknown', dataset: false };
  return <Badge variant={variants.get(kind) ?? (dataset ? 'purple' : 'neutral')}>{kind}</Badge>;
}
