import { Link2 } from 'lucide-react';
import type { MDXComponents } from 'mdx/types';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { ArticleFigure, Panel } from './article-figure.tsx';
import { DataTable } from './data-table.tsx';
import { Cite } from './references.tsx';

export const proseComponents: MDXComponents = {
  h2: ({ children }: { children?: ReactNode }) => {
    const id = headingId(String(children));
    return (
      <h2
        id={id}
        className="group text-title mt-12 mb-4 scroll-mt-24 break-after-avoid font-semibold text-balance"
      >
        {children}
        <a
          href={`#${id}`}
          aria-label={`Link to the section ${String(children)}`}
          className="text-muted ml-2 inline-flex rounded-sm align-middle opacity-0 group-hover:opacity-100 focus-visible:opacity-100 print:hidden"
        >
          <Link2 aria-hidden className="size-4" />
        </a>
      </h2>
    );
  },
  p: (props: ComponentProps<'p'>) => <p className="my-5 text-pretty" {...props} />,
  ul: (props: ComponentProps<'ul'>) => (
    <ul className="marker:text-muted my-5 list-disc space-y-2 pl-6" {...props} />
  ),
  ol: (props: ComponentProps<'ol'>) => (
    <ol className="marker:text-muted my-5 list-decimal space-y-2 pl-6 marker:tabular-nums" {...props} />
  ),
  code: (props: ComponentProps<'code'>) => (
    <code className="bg-surface-2 rounded-sm px-1 py-0.5 text-[0.88em]" {...props} />
  ),
  a: ({ href = '', children }: ComponentProps<'a'>) => {
    const look = 'text-accent underline decoration-1 underline-offset-3 hover:no-underline';
    return href.startsWith('/') ? (
      <Link to={href} className={look}>
        {children}
      </Link>
    ) : (
      <a href={href} rel="noopener" className={look}>
        {children}
      </a>
    );
  },
  Cite,
  Figure: ArticleFigure,
  Panel,
  DataTable,
  Takeaway,
};

function Takeaway({ children }: { children: ReactNode }) {
  return (
    <div className="border-accent bg-surface my-8 break-inside-avoid rounded-r-lg border-l-3 py-1 pr-5 pl-5 [&>p]:my-3">
      {children}
    </div>
  );
}

function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
