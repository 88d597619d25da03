import type { ComponentProps } from 'react';

/** A cell with its nucleus, and a C. Decoration beside the name. The favicon (public/favicon.svg) is the same. */
export function LogoMark(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden {...props}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M21.8 9.9A8.4 8.4 0 1 0 21.8 22.1"
        fill="none"
        strokeWidth="3.6"
        strokeLinecap="round"
        className="stroke-accent-foreground"
      />
      <circle cx="18.6" cy="16" r="3.1" className="fill-accent-foreground" />
    </svg>
  );
}
