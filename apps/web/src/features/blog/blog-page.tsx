import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';
import { ArticleFacts } from './article-facts.tsx';
import { covers, listedArticles } from './articles.ts';

const description =
  'Single-cell methods for people at the bench: what the numbers assume, where they mislead, and how to check, with worked examples.';

function BlogPage() {
  return (
    <SiteLayout>
      <PageMeta title="Blog" description={description} />
      <div className="mx-auto max-w-6xl px-5 py-14 md:px-8 md:py-20">
        <header className="mb-10 flex max-w-[60ch] flex-col gap-4 md:mb-14">
          <h1 className="text-display font-semibold">Blog</h1>
          <p className="text-lead text-muted text-pretty">{description}</p>
        </header>
        <ol className="flex flex-col">
          {listedArticles.map((article, place) => {
            const cover = covers.get(article.slug);
            return (
              <li key={article.slug}>
                <article
                  aria-labelledby={`article-${article.id}`}
                  className="grid gap-6 border-t py-10 md:grid-cols-[18rem_1fr] md:gap-10"
                >
                  {cover && (
                    <img
                      src={`/blog/${cover}.png`}
                      alt=""
                      width={600}
                      height={500}
                      loading={place === 0 ? 'eager' : 'lazy'}
                      decoding="async"
                      className="bg-figure hidden aspect-6/5 w-full rounded-lg border object-contain p-2 md:block"
                    />
                  )}
                  <div className="flex max-w-[68ch] flex-col items-start gap-3">
                    <ArticleFacts article={article} />
                    <h2 id={`article-${article.id}`} className="text-title font-semibold text-balance">
                      {article.title}
                    </h2>
                    <p className="text-base text-pretty">{article.excerpt}</p>
                    <p className="text-muted text-base text-pretty">{article.description}</p>
                    <p className="text-muted text-[13px]">For: {article.audience}</p>
                    <Button asChild variant="secondary" className="mt-2">
                      <Link to={`/blog/${article.slug}`}>
                        Read More
                        <span className="sr-only">: {article.title}</span>
                        <ArrowRight aria-hidden />
                      </Link>
                    </Button>
                  </div>
                </article>
              </li>
            );
          })}
        </ol>
      </div>
    </SiteLayout>
  );
}

export { BlogPage as Component };
