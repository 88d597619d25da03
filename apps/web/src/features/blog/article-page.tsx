import { ArrowLeft, ArrowRight, Link2 } from 'lucide-react';
import type { MDXContent, MDXComponents } from 'mdx/types';
import { type ReactNode, type ComponentProps, createContext, Fragment, useContext } from 'react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';
import { type Reference, addressOf } from '@/content/blog/reference.ts';
import { ArticleFacts } from './article-facts.tsx';
import { articleBySlug, type Article } from './articles.ts';
import { ArticleFigure, Panel } from './article-figure.tsx';
import { DataTable } from './data-table.tsx';

const CitedContext = createContext<readonly Reference[]>([]);

function Cite({ works }: { works: string }) {
  const references = useContext(CitedContext);
  return (
    <sup className="text-[0.7em] leading-none whitespace-nowrap">
      {works.split(' ').map((key, i) => {
        const place = references.findIndex((reference) => reference.key === key);
        const reference = references[place];
        if (!reference) throw new Error(`The article cites ${key}, which is not among its references.`);
        return (
          <Fragment key={key}>
            {i > 0 && ', '}
            <a
              href={`#${referenceId(key)}`}
              className="text-accent rounded-sm px-0.5 font-medium hover:underline"
              aria-label={`Reference ${place + 1}: ${reference.authors} ${reference.year}`}
            >
              {place + 1}
            </a>
          </Fragment>
        );
      })}
    </sup>
  );
}

function referenceId(key: string): string {
  return `reference-${key}`;
}

function ReferenceList({ references }: { references: readonly Reference[] }) {
  return (
    <section aria-labelledby="references" className="mt-14 border-t pt-8">
      <h2 id="references" className="mb-4 text-lg font-semibold tracking-tight">
        References
      </h2>
      <ol className="marker:text-muted flex list-decimal flex-col gap-2.5 pl-7 text-[14px] leading-normal marker:tabular-nums">
        {references.map((reference) => {
          const { key, authors, year, title, journal, where, doi, address } = reference;
          return (
            <li
              key={key}
              id={referenceId(key)}
              className="target:bg-accent-soft scroll-mt-24 break-inside-avoid rounded-sm pl-1"
            >
              {authors} ({year}). {title}. <cite>{journal}</cite> {where}.{' '}
              <a
                href={addressOf(reference)}
                rel="noopener"
                className="text-accent break-words underline decoration-1 underline-offset-2 hover:no-underline"
              >
                {doi === undefined ? address : `doi:${doi}`}
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface ArticlePageProps {
  slug: string;
  Body: MDXContent;
  references: readonly Reference[];
}

export function ArticlePage({ slug, Body, references }: ArticlePageProps) {
  const article = articleBySlug(slug);
  if (!article) return <ArticleNotFound />;
  return (
    <SiteLayout>
      <PageMeta title={article.title} description={article.description} type="article" />
      <div className="mx-auto max-w-[calc(68ch+2.5rem)] px-5 pt-8 pb-20 text-[17px] leading-[1.7] md:pt-12 print:max-w-none print:p-0 print:text-[11pt] print:leading-normal">
        <BackToBlog />
        <article className="laid-out-late">
          <header className="mt-8 mb-10 flex flex-col gap-4 border-b pb-8 print:mt-0">
            <ArticleFacts article={article} />
            <h1 className="text-headline font-semibold text-balance">{unbroken(article.title)}</h1>
            <p className="text-lead text-muted text-pretty">{article.subtitle}</p>
            <p className="text-[15px]">
              By {article.author}
              <span className="text-muted"> · For: {article.audience}</span>
            </p>
          </header>
          <CitedContext value={references}>
            <Body components={proseComponents} />
          </CitedContext>
          <ReferenceList references={references} />
        </article>
        <RelatedReading article={article} />
        <BackToBlog />
      </div>
    </SiteLayout>
  );
}

function BackToBlog() {
  return (
    <Button asChild variant="ghost" className="-ml-4 print:hidden">
      <Link to="/blog">
        <ArrowLeft aria-hidden />
        Back to Blog
      </Link>
    </Button>
  );
}

function RelatedReading({ article }: { article: Article }) {
  const related = article.related.flatMap((slug) => articleBySlug(slug) ?? []);
  return (
    <aside aria-labelledby="related" className="my-14 print:hidden">
      <h2 id="related" className="mb-4 text-lg font-semibold tracking-tight">
        Related reading
      </h2>
      <ul className="flex flex-col">
        {related.map(({ slug, title, excerpt }) => (
          <li key={slug} className="border-t">
            <Link
              to={`/blog/${slug}`}
              className="group flex items-start justify-between gap-6 rounded-md py-4"
            >
              <span>
                <span className="block leading-snug font-medium group-hover:underline">{title}</span>
                <span className="text-muted mt-1 block text-[15px] leading-normal">{excerpt}</span>
              </span>
              <ArrowRight aria-hidden className="text-muted mt-1 size-4 shrink-0" />
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Keeps hyphenated words on one line, for readability of large titles. */
function unbroken(title: string): ReactNode[] {
  return title.split(/(\S+-\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}

export function ArticleNotFound() {
  return (
    <SiteLayout>
      <PageMeta title="Blog post not found" description="There is no article at this address." />
      <div className="mx-auto flex min-h-[60vh] max-w-xl flex-col items-center justify-center gap-4 px-5 py-20 text-center">
        <h1 className="text-headline font-semibold text-balance">Blog post not found</h1>
        <p className="text-muted text-base text-pretty">
          No article has this address. Check the spelling, or choose an article from the list.
        </p>
        <Button asChild variant="secondary" className="mt-2">
          <Link to="/blog">
            <ArrowLeft aria-hidden />
            Back to Blog
          </Link>
        </Button>
      </div>
    </SiteLayout>
  );
}

const proseComponents: MDXComponents = {
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
