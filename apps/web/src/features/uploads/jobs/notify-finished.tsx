import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';

interface FinishedWork {
  title: string;
  text: string;
  failed: boolean;
  /** A notification replaces an older one with the same tag. */
  tag: string;
}

/** Minimum duration of work that causes a notification, in milliseconds. */
const longWork = 3000;

/**
 * Notifies the user of finished work while the tab is hidden: in its title until it is visited, and by a browser
 * notification if allowed.
 */
export function notifyFinished({ title, text, failed, tag }: FinishedWork): void {
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
    // Some mobile browsers only show notifications of service workers; the title is set anyway.
    console.warn('No notification was shown.', error);
  }
}

export async function withFinishNotice<T>(
  { what, text }: { what: string; text: string },
  work: Promise<T>,
): Promise<T> {
  const began = performance.now();
  const notify = (failed: boolean) => {
    if (performance.now() - began < longWork) return;
    notifyFinished({ title: `${what} ${failed ? 'failed' : 'complete'}`, text, failed, tag: what });
  };
  try {
    const answer = await work;
    notify(false);
    return answer;
  } catch (error) {
    if (!isCancelled(error)) notify(true);
    throw error;
  }
}

type NotifyPermission = NotificationPermission | 'unsupported';

/** The notification permission; unsupported outside a secure context. */
function notifyPermission(): NotifyPermission {
  return 'Notification' in window && window.isSecureContext ? Notification.permission : 'unsupported';
}

let shown: HTMLTitleElement | null = null;

/** The first title of a document applies: this one precedes the page's own, which may change meanwhile. */
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
