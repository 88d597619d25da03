import { toast as sonner } from 'sonner';

type Raise = typeof sonner.warning;

/**
 * Stays until it is closed, by its button or Escape: it may be missed otherwise. The same words again take the place of
 * those that are still there.
 */
const untilClosed =
  (raise: Raise): Raise =>
  (title, options) => {
    const words = [title, options?.description].filter((text) => typeof text === 'string');
    return raise(title, { id: words.join('\n'), duration: Number.POSITIVE_INFINITY, ...options });
  };

/** Raises notices; what the page shows anyway needs none. */
export const toast = {
  info: sonner.info,
  success: sonner.success,
  warning: untilClosed(sonner.warning),
  error: untilClosed(sonner.error),
};
