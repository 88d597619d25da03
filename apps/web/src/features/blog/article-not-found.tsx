import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { PageMeta } from '@/components/page-meta.tsx';
import { SiteLayout } from '@/components/site-layout.tsx';
import { Button } from '@/components/ui/button.tsx';

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
