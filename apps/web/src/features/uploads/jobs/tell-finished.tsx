import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

interface FinishedWork {
  /** In a few words: 'Dataset ready'. */
  title: string;
  /** What it was about. */
  text: string;
  failed: boolean;
  /** A newer notification of the same tag takes the place of the older one. */
  tag: string;
}

/** Milliseconds from which work of the page is worth telling: before, nobody has gone elsewhere meanwhile. */
const longWork = 3000;

/**
 * Says that work has ended to somebody who is looking at another tab: in the title of this one until it is seen, and by
 * a notification of the browser where that is allowed. Whoever looks at the page sees it there.
 */
export function tellFinished({ title, text, failed, tag }: FinishedWork): void {
  if (!document.hidden) return;
  const line = `${failed ? '✗' : '✓'} ${title}`;
  showInTitle(`${line} · Cellfolio`);
  if (notifyPermission() !== 'granted') return;
  try {
    const notification = new Notification(line, { body: text, tag, icon: '/favicon.svg' });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
    });
  } catch (error) {
    // Some browsers of phones show notifications of service workers alone; the title is told all the same.
    console.warn('No notification was shown.', error);
  }
}

/** Tells the end of work that took some seconds, and hands on what came of it. What was cancelled is not told. */
export async function tellingItsEnd<T>(
  { what, text }: { what: string; text: string },
  work: Promise<T>,
): Promise<T> {
  const began = performance.now();
  const tell = (failed: boolean) => {
    if (performance.now() - began < longWork) return;
    tellFinished({ title: `${what} ${failed ? 'failed' : 'complete'}`, text, failed, tag: what });
  };
  try {
    const answer = await work;
    tell(false);
    return answer;
  } catch (error) {
    if (!isCancelled(error)) tell(true);
    throw error;
  }
}

type NotifyPermission = NotificationPermission | 'unsupported';

/** Whether the browser shows notifications of this site; it knows none where the page is not secure. */
function notifyPermission(): NotifyPermission {
  return 'Notification' in window && window.isSecureContext ? Notification.permission : 'unsupported';
}

let shown: HTMLTitleElement | null = null;

/** The first title of a document counts: one before that of the page, which goes on changing as the page does. */
function showInTitle(text: string): void {
  if (shown === null) {
    shown = document.createElement('title');
    document.head.prepend(shown);
    document.addEventListener('visibilitychange', restoreTitle);
  }
  shown.textContent = text;
}

function restoreTitle(): void {
  if (document.hidden) return;
  document.removeEventListener('visibilitychange', restoreTitle);
  shown?.remove();
  shown = null;
}

/** Beside work that takes long: asks the browser, when it is pressed, to be allowed to tell its end. */
export function NotifyButton({ className }: { className?: string }) {
  const [permission, setPermission] = useState(notifyPermission);
  switch (permission) {
    case 'unsupported':
      return null;
    case 'default':
      return (
        <Button
          variant="ghost"
          size="xs"
          className={className}
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          <Bell aria-hidden />
          Notify me when it is done
        </Button>
      );
    default: {
      const Icon = permission === 'granted' ? Bell : BellOff;
      return (
        <p role="status" className={cn('text-muted flex items-center gap-1.5 text-xs', className)}>
          <Icon aria-hidden className="size-3.5 shrink-0" />
          {permission === 'granted'
            ? 'You will be notified when it is done.'
            : 'This browser blocks notifications of this site.'}
        </p>
      );
    }
  }
}
