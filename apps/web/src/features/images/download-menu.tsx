import type { FigureFormat } from '@cellfolio/contract';
import { figureName } from '@cellfolio/figures/content';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, ChevronDown, Download } from 'lucide-react';
import type { ReactNode, Ref, SyntheticEvent } from 'react';
import { useContext, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { displayedNow, sameDisplays } from '@/features/category-displays/index.ts';
import { columnListQuery, defaultMapTitle } from '@/features/map/index.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { cn } from '@/lib/cn.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { CommonOrderContext } from './common-order.tsx';
import { CommonScaleContext } from './common-scale.tsx';
import type { ImagePixels } from './image-data.ts';
import { millimetresText, pixelsOf, pixelsText } from './image-data.ts';
import { useReadImage } from './stored-image-file.ts';
import { datasetLabel, useDatasetName } from './image-name.ts';
import type { LibraryImage } from './library-image.ts';
import { type DownloadableFigure, figureEndings, useFigureDownloads } from './figure-downloads.tsx';
import type { SizesOfFiles } from './figure-file-dialog.tsx';
import { figureFileSizes, type FigureFile, type FigureSetting, renderFigure } from './render-figure.ts';
import type { SeenImage } from './seen-image.ts';

interface DownloadMenuProps {
  image: LibraryImage;
  seen?: Omit<SeenImage, 'image'>;
  /** Name of the image for screen readers, for an icon button. */
  iconOf?: string;
  /** Other tools, which stand above the files in one menu with them. */
  tools?: {
    label: string;
    icon: ReactNode;
    items: ReactNode;
  };
  triggerRef?: Ref<HTMLButtonElement>;
  className?: string;
}

export function DownloadMenu({ image, seen, iconOf, tools, triggerRef, className }: DownloadMenuProps) {
  const [part, setPart] = useState(false);
  const { save, saving } = useSaveImage(seen, part);
  const [open, setOpen] = useState(false);
  const sizes = useSizes(image, seen, part, open);
  const { itemsOf, dialog } = useFigureDownloads();
  const { api } = useServices();
  const drawingOf = useDrawing(seen, part);
  const sizesOf: SizesOfFiles = async (file, signal) => {
    const { source, setting } = await drawingOf(image);
    return source ? figureFileSizes(api, source, { ...setting, file }, signal) : null;
  };
  const figure: DownloadableFigure = {
    title: image.title,
    sizes,
    ...(image.source && { sizesOf }),
    onSave: (format, file) => void save(image, format, file),
  };
  // A missing image has no file.
  const hasFile = image.missing === undefined;
  if (!hasFile && tools === undefined) return null;
  return (
    <>
      {/* The trigger keeps the focus while a file is prepared, and opens nothing. */}
      <DropdownMenu modal={false} open={open} onOpenChange={(next) => setOpen(next && saving === null)}>
        {tools !== undefined ? (
          <DropdownMenuTrigger asChild>
            <Button
              ref={triggerRef}
              variant="ghost"
              size="icon-sm"
              aria-disabled={saving !== null}
              aria-label={tools.label}
              title={tools.label}
            >
              {saving === null ? tools.icon : <Spinner />}
            </Button>
          </DropdownMenuTrigger>
        ) : iconOf === undefined ? (
          <DropdownMenuTrigger asChild>
            <Button
              variant="secondary"
              size="sm"
              aria-disabled={saving !== null}
              className={cn('min-w-32', className)}
            >
              {saving === null ? <Download aria-hidden /> : <Spinner />}
              {saving === null ? 'Download' : 'Preparing...'}
              {saving === null && <ChevronDown aria-hidden />}
            </Button>
          </DropdownMenuTrigger>
        ) : (
          <Tooltip label="Download">
            <DropdownMenuTrigger asChild>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-disabled={saving !== null}
                aria-label={`Download ${iconOf}`}
                className={className}
              >
                {saving === null ? <Download aria-hidden /> : <Spinner />}
              </Button>
            </DropdownMenuTrigger>
          </Tooltip>
        )}
        <DropdownMenuContent className="min-w-56" onMouseDown={keep} onTouchStart={keep}>
          {tools?.items}
          {tools !== undefined && hasFile && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuLabel>Download</DropdownMenuLabel>
            </>
          )}
          {hasFile && itemsOf(figure)}
          {hasFile && seen?.window !== undefined && (
            <DropdownMenuItem
              role="menuitemcheckbox"
              aria-checked={part}
              className="text-muted border-t text-xs"
              onSelect={(event) => {
                // The menu stays open for the choice of a format.
                event.preventDefault();
                setPart(!part);
              }}
            >
              <Check aria-hidden className={cn('size-3.5', !part && 'invisible')} />
              Visible part only
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it keeps what is pressed from the card */}
      <div className="contents" onMouseDown={keep} onTouchStart={keep}>
        {dialog}
      </div>
    </>
  );
}

/** Keeps what is pressed in the menu and its dialog from the card around them, which would be dragged. */
function keep(event: SyntheticEvent) {
  event.stopPropagation();
}

function useSizes(
  image: LibraryImage,
  view: DownloadMenuProps['seen'],
  part: boolean,
  isOpen: boolean,
): Partial<Record<FigureFormat, string>> | undefined {
  const { api } = useServices();
  const read = useReadImage();
  const drawingOf = useDrawing(view, part);
  // A menu is opened anew for what is seen then.
  const stored = useQuery({
    queryKey: ['image-pixels', image.id, image.imageUrl],
    queryFn: async (): Promise<ImagePixels | null> => pixelsOf(await read(image)),
    enabled: isOpen,
    staleTime: Infinity,
  }).data;
  const rendering = useQuery({
    queryKey: ['image-file-sizes', image.id, part],
    queryFn: async ({ signal }) => {
      const { source, setting, isStored } = await drawingOf(image);
      return source ? { isStored, sizes: await figureFileSizes(api, source, setting, signal) } : null;
    },
    enabled: isOpen && Boolean(image.source),
    gcTime: 0,
  }).data;
  const sizes = { ...rendering?.sizes, ...(stored && rendering?.isStored !== false && { png: stored }) };
  const texts = Object.entries(sizes).map(([format, size]) => [
    format,
    format === 'pdf' ? millimetresText(size) : pixelsText(size),
  ]);
  return Object.fromEntries(texts) as Partial<Record<FigureFormat, string>>;
}

interface Drawing {
  source: LibraryImage['source'];
  setting: FigureSetting;
  isStored: boolean;
}

function useDrawing(
  view: DownloadMenuProps['seen'],
  part: boolean,
): (image: LibraryImage) => Promise<Drawing> {
  const services = useServices();
  const client = useQueryClient();
  const scaleOf = useContext(CommonScaleContext);
  const orderOf = useContext(CommonOrderContext);
  return async (image) => {
    const range = view?.range ?? scaleOf(image.source)?.range;
    const order = orderOf(image.source)?.order;
    const window = part ? view?.window?.() : undefined;
    const shown = window ? { ...view?.shown, window } : view?.shown;
    const source = image.source && (await displayedNow(client, services, image.source));
    const isAsDrawn = !source || !image.source || sameDisplays(source, image.source);
    const isPlain = [range, order, shown].every((one) => one === undefined) && view?.isChanged !== true;
    return { source, setting: { range, order, shown }, isStored: isPlain && isAsDrawn };
  };
}

const notDownloaded = 'image-not-downloaded';
const codesOfEarlier = new Set(['dataset_changed', 'annotation_not_kept']);

interface SaveImage {
  save: (image: LibraryImage, format: FigureFormat, file?: FigureFile) => Promise<void>;
  saving: FigureFormat | null;
}

function useSaveImage(view: DownloadMenuProps['seen'], part: boolean): SaveImage {
  const { api } = useServices();
  const readImage = useReadImage();
  const datasetName = useDatasetName();
  const client = useQueryClient();
  const drawingOf = useDrawing(view, part);
  const [saving, setSaving] = useState<FigureFormat | null>(null);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);

  /** For an unmodified figure, if its dataset's list is loaded. */
  const defaultMapOf = ({ source }: LibraryImage) => {
    if (!source) return undefined;
    const { dataset_filename: filename, version = '' } = source;
    return defaultMapTitle(client.getQueryData(columnListQuery(api, { filename, version }).queryKey));
  };
  const fileOf = async (image: LibraryImage, format: FigureFormat, file?: FigureFile): Promise<Blob> => {
    const { source, setting, isStored } = await drawingOf(image);
    if (format === 'png' && isStored && file === undefined) return readImage(image);
    if (!source) throw new Error('The source of this image is unknown.');
    left.current = new AbortController();
    return renderFigure(api, source, format, left.current.signal, { ...setting, file });
  };
  const save: SaveImage['save'] = async (image, format, file) => {
    setSaving(format);
    try {
      const name = imageFileName(image, format, datasetName(image), view?.map ?? defaultMapOf(image));
      saveFile(await fileOf(image, format, file), name);
      toast.dismiss(notDownloaded);
      toast.success('Download started', { description: name });
    } catch (error) {
      if (isCancelled(error)) return;
      console.warn('An image was not downloaded.', error);
      const isOfEarlier = error instanceof ApiRefusal && codesOfEarlier.has(error.code);
      toast.error(isOfEarlier ? 'The image was not downloaded' : 'Error', {
        id: notDownloaded,
        description: isOfEarlier
          ? `${error.body} Its PNG for the screen is kept.`
          : 'Failed to download image. Please try again.',
      });
    } finally {
      setSaving(null);
    }
  };
  return { save, saving };
}

/**
 * '<name of the dataset>_<title>_UMAP.png', with characters that every file system accepts. `map` is the title of a
 * map's embedding; default: `UMAP`.
 */
export function imageFileName(
  image: Pick<LibraryImage, 'datasetName' | 'title' | 'plotKind' | 'source'>,
  format: FigureFormat = 'png',
  dataset = datasetLabel(image),
  map?: string,
): string {
  const kind = image.source ? figureName(image.source.content, map) : shapeNames[image.plotKind];
  return `${[dataset, image.title, kind].map(fileNamePart).join('_')}${figureEndings[format]}`;
}

const shapeNames: Record<LibraryImage['plotKind'], string> = { umap: 'UMAP', violin: 'Violin' };
