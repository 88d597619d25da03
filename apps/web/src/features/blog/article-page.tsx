import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { MDXContent } from 'mdx/types';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { Reference } from '@/content/blog/reference.ts';
import { ArticleFacts } from './article-facts.tsx';
import { articleBySlug } from './articles.ts';
import type { Article } from './articles.ts';
import { proseComponents } from './prose.tsx';
import { CitedContext, ReferenceList } from './references.tsx';

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
          No article has this address. It may have been mistyped; the list has all of them.
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
