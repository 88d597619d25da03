import type { ReactNode } from 'react';

/** A named group of controls in all of their states. */
export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4 border-t py-8">
      <h2 className="text-sm font-semibold">{title}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}
