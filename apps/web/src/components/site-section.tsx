import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';
import { Link } from 'react-router';
import { trialLength } from '@/lib/trial-length.ts';
import { Button } from './ui/button.tsx';

export function SiteSection({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section className={cn('mx-auto w-full max-w-6xl px-5 py-16 md:px-8 md:py-24', className)} {...props} />
  );
}

export function PageIntro({ title, children }: { title: string; children: string }) {
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-5 pt-16 md:px-8 md:pt-24">
      <h1 className="text-display max-w-[18ch] font-semibold text-balance">{title}</h1>
      <p className="text-lead text-muted max-w-[56ch] text-pretty">{children}</p>
    </header>
  );
}

export function TrialCall() {
  return (
    <section className="border-t">
      <div className="mx-auto flex max-w-6xl flex-col items-start gap-6 px-5 py-16 md:flex-row md:items-end md:justify-between md:px-8 md:py-20">
        <div className="flex flex-col gap-3">
          <h2 className="text-headline max-w-[20ch] font-semibold text-balance">
            Your gene is one search away.
          </h2>
          <p className="text-lead text-muted max-w-[48ch]">
            {`${trialLength()} with every public dataset. No card, nothing to install.`}
          </p>
        </div>
        <Button asChild size="lg">
          <Link to="/auth">Start Free Trial</Link>
        </Button>
      </div>
    </section>
  );
}
