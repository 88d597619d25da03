import type { AnnotationRevision } from '@cellfolio/contract';
import { embedHtml, embedPath, embedSizes, type EmbeddedView, readEmbeddedView } from '@cellfolio/contract';
import { CodeXml, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { CopyButton } from '@/components/copy-button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Textarea } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { columnsOfMapAddress } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';

interface EmbedButtonProps {
  /** Name of the dataset. */
  name: string;
  /** Address of the view, of the explorer. */
  address: () => string;
  /** The user's own columns that the view uses: others do not have them. */
  labels: readonly AnnotationRevision[];
}

/** Gives the HTML of a frame with the first map of the view. Renders nothing where embedding is off. */
export function EmbedButton(props: EmbedButtonProps) {
  const { config } = useServices();
  if (config.features.embedding !== true) return null;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="sm" className="max-lg:hidden">
          <CodeXml aria-hidden />
          Embed
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Embed this view" className="w-96">
        <Snippet {...props} />
      </PopoverContent>
    </Popover>
  );
}

const themes = [
  { value: 'system', label: 'As the viewer’s system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The embedded view of an address of the explorer, without columns that others do not have. */
function publicView(address: string, ownColumns: ReadonlySet<string>): EmbeddedView | undefined {
  const view = readEmbeddedView(new URL(address, location.origin));
  if (view === undefined) return undefined;
  const { map, content, ...rest } = view;
  const ofMap = map === undefined ? [] : columnsOfMapAddress(map).flat();
  return {
    ...rest,
    content:
      content.kind === 'obs-umap' && ownColumns.has(content.column) ? { kind: 'category-umap' } : content,
    ...(map !== undefined && !ofMap.some((column) => ownColumns.has(column)) && { map }),
  };
}

function Snippet({ name, address, labels }: EmbedButtonProps) {
  const [size, setSize] = useState<(typeof embedSizes)[number]>(embedSizes[1]);
  const [theme, setTheme] = useState<(typeof themes)[number]['value']>('system');
  // As it was when this was opened.
  const [shown] = useState(() => publicView(address(), new Set(labels.map((label) => label.name))));
  if (shown === undefined) return null;
  const view: EmbeddedView = { ...shown, ...(theme !== 'system' && { theme }) };
  const html = embedHtml(view, { site: location.origin, title: name, ...size });
  return (
    <div className="flex flex-col gap-3">
      <p>
        A frame with a live map of all cells: the first of this view that is colored by cell types, a column
        of the dataset or a gene. Sites that this server allows can show it to everyone, without an account.
      </p>
      <ChoiceLine
        label="Size"
        options={embedSizes.map(({ label, width, height }) => ({
          value: label,
          label: `${label}, ${width} × ${height}`,
        }))}
        chosen={size.label}
        onChoose={(label) => setSize(embedSizes.find((one) => one.label === label) ?? size)}
      />
      <ChoiceLine label="Theme" options={themes} chosen={theme} onChoose={setTheme} />
      <Textarea
        aria-label="HTML of the frame"
        readOnly
        rows={6}
        spellCheck={false}
        className="font-mono text-xs"
        value={html}
        onFocus={(event) => event.target.select()}
      />
      <div className="flex items-center justify-between gap-3">
        <CopyButton text={() => html} label="Copy HTML" />
        <a
          href={embedPath(view)}
          target="_blank"
          rel="noopener"
          className="text-accent inline-flex items-center gap-1 text-[13px] underline underline-offset-2"
        >
          Preview
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      </div>
    </div>
  );
}
