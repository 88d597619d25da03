import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogTitle,
} from '@/components/ui/dialog.tsx';
import { useServices } from '@/lib/services.ts';
import { CopyButton } from '@/components/copy-button.tsx';
import type { NewApiKey } from './use-api-keys.ts';

/** The one time that a key is shown. */
export function NewKeyDialog({ apiKey: { name, key }, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const { config } = useServices();
  const example = `curl -H 'X-API-Key: ${key}' \\\n  ${config.analysisUrl}/api/dataset_metadata`;
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        className="overflow-y-auto"
        // A click beside the dialog must not lose what cannot be shown again.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogTitle className="pr-6 wrap-anywhere">Your new key: {name}</DialogTitle>
        <DialogDescription className="sr-only">The key and an example of its use.</DialogDescription>
        <Alert variant="warning">Copy it now and keep it safe. It cannot be shown again.</Alert>
        <div className="flex flex-col items-start gap-2">
          <code
            aria-label="API key"
            className="bg-surface-2 w-full rounded-md px-3 py-2 text-[13px] break-all"
          >
            {key}
          </code>
          <CopyButton text={() => key} label="Copy key" />
        </div>
        <div className="flex flex-col items-start gap-2">
          <p className="text-sm font-medium">Try it</p>
          <pre
            aria-label="Example"
            className="bg-surface-2 w-full rounded-md px-3 py-2 text-xs break-all whitespace-pre-wrap"
          >
            {example}
          </pre>
          <CopyButton text={() => example} label="Copy example" />
          <p className="text-muted text-[13px]">
            Every call is described at{' '}
            <a
              href={`${config.analysisUrl}/api/openapi.json`}
              target="_blank"
              rel="noreferrer"
              className="text-accent rounded underline underline-offset-4"
            >
              /api/openapi.json
            </a>
            .
          </p>
        </div>
        <DialogClose asChild>
          <Button className="self-end">Done</Button>
        </DialogClose>
      </DialogContent>
    </Dialog>
  );
}
