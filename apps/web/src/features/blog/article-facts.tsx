import type { Article } from './articles.ts';

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export function ArticleFacts({ article }: { article: Article }) {
  return (
    <p className="text-muted flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
      <span className="bg-accent-soft text-accent-soft-foreground rounded-full px-2.5 py-0.5 font-medium">
        {article.category}
      </span>
      <span>{article.readTime}</span>
      <span aria-hidden>·</span>
      <time dateTime={article.date}>{dayFormat.format(new Date(article.date))}</time>
    </p>
  );
}
