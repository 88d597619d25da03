import { History, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';

/** Warns that the open version differs from the server's: until it is reopened, every call is refused. */
export function ReplacedDataset({ text, onReload }: { text: string; onReload: () => Promise<boolean> }) {
  const [pending, setPending] = useState(false);
  return (
    <Alert variant="warning" role="status" data-replaced-dataset>
      <History aria-hidden />
      <span className="flex flex-col items-start gap-2">
        {text}
        <Button
          variant="secondary"
          size="xs"
          disabled={pending}
          onClick={() => {
            setPending(true);
            void onReload().finally(() => setPending(false));
          }}
        >
          {pending ? <Spinner /> : <RotateCw aria-hidden />}
          Open the new version
        </Button>
      </span>
    </Alert>
  );
}

const replaced = 'dataset-replaced';

/** Shows a notice when no warning on the page is in view. */
export function useReplacedNotice(isReplaced: boolean, onReload: () => Promise<boolean>): void {
  const open = useEffectEvent(() => void onReload());
  useEffect(() => {
    if (!isReplaced) return undefined;
    if (![...document.querySelectorAll('[data-replaced-dataset]')].some(isInSight)) {
      toast.info('New version', {
        id: replaced,
        description: 'The map still shows the previous one.',
        duration: Number.POSITIVE_INFINITY,
        action: { label: 'Open the new version', onClick: () => open() },
      });
    }
    return () => {
      toast.dismiss(replaced);
    };
  }, [isReplaced]);
}

function isInSight(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  const page = element.closest('main')?.getBoundingClientRect();
  const from = Math.max(0, page?.top ?? 0);
  const to = Math.min(window.innerHeight, page?.bottom ?? Infinity);
  return height > 0 && top >= from && bottom <= to;
}
