import { embedHtml, embedPath, embedSizes, type EmbeddedView, readEmbeddedView } from '@cellfolio/contract';
import { CodeXml, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { CopyButton } from '@/components/copy-button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Textarea } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { useServices } from '@/lib/services.ts';

interface EmbedButtonProps {
  /** Name of the dataset. */
  name: string;
  /** Address of the view, of the explorer. */
  address: () => string;
}

/** Gives the HTML of a frame with the first map of the view. Renders nothing where embedding is off. */
export function EmbedButton({ name, address }: EmbedButtonProps) {
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
        <Snippet name={name} address={address} />
      </PopoverContent>
    </Popover>
  );
}

const themes = [
  { value: 'system', label: 'As the viewer’s system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

function Snippet({ name, address }: EmbedButtonProps) {
  const [size, setSize] = useState<(typeof embedSizes)[number]>(embedSizes[1]);
  const [theme, setTheme] = useState<(typeof themes)[number]['value']>('system');
  // As it was when this was opened.
  const [shown] = useState(() => readEmbeddedView(new URL(address(), location.origin)));
  if (shown === undefined) return null;
  const view: EmbeddedView = { ...shown, ...(theme !== 'system' && { theme }) };
  const html = embedHtml(view, { site: location.origin, title: name, ...size });
  return (
    <div className="flex flex-col gap-3">
      <p>
        A frame with the first map, of all cells, for web pages of sites that this server allows. Everyone who
        visits the page sees the dataset, without an account.
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
        rows={4}
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
