import { toast as sonner } from 'sonner';

type Raise = typeof sonner.warning;

/**
 * Stays until closed by its button or Escape, so that it is not missed. A notice with the same text replaces the one
 * shown.
 */
const untilClosed =
  (raise: Raise): Raise =>
  (title, options) => {
    const words = [title, options?.description].filter((text) => typeof text === 'string');
    return raise(title, { id: words.join('\n'), duration: Number.POSITIVE_INFINITY, ...options });
  };

export const toast = {
  info: sonner.info,
  success: sonner.success,
  warning: untilClosed(sonner.warning),
  error: untilClosed(sonner.error),
  dismiss: sonner.dismiss,
  /** Dismisses the notices that time out; those that stay until closed remain. */
  dismissPassing: (): void => {
    for (const shown of sonner.getToasts()) {
      if (!('duration' in shown) || shown.duration === undefined) sonner.dismiss(shown.id);
    }
  },
};
