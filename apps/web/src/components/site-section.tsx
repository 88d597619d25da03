import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** A section of a public page with the common width and padding. */
export function SiteSection({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section className={cn('mx-auto w-full max-w-6xl px-5 py-16 md:px-8 md:py-24', className)} {...props} />
  );
}

/** The head of a public page. */
export function PageIntro({ title, children }: { title: string; children: string }) {
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-5 pt-16 md:px-8 md:pt-24">
      <h1 className="text-display max-w-[18ch] font-semibold text-balance">{title}</h1>
      <p className="text-lead text-muted max-w-[56ch] text-pretty">{children}</p>
    </header>
  );
}
