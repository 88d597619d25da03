import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { cn } from '@/lib/cn.ts';
import { notifyPermission } from './tell-finished.ts';

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
