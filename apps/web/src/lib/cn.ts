import { clsx } from 'clsx';
import type { ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Our own sizes of text (theme.css) would otherwise count as colours.
const merge = extendTailwindMerge({
  extend: { theme: { text: ['display', 'headline', 'title', 'lead'] } },
});

// The first call makes a table of all classes, which takes long on a phone: while code is loaded, not while a page is drawn.
merge('');

export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
