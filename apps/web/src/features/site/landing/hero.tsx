import { Link } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { BannerCloud } from './banner-cloud.tsx';

export function Hero() {
  return (
    <section className="mx-auto grid w-full max-w-6xl gap-x-4 px-5 pt-12 md:px-8 lg:min-h-[min(46rem,calc(100dvh-3.75rem))] lg:grid-cols-[minmax(0,27rem)_1fr] lg:pt-0">
      <div className="flex flex-col justify-center gap-6 lg:pb-16">
        <h1 className="text-display font-semibold text-balance">See any gene in every cell.</h1>
        <p className="text-lead text-muted max-w-[44ch] text-pretty">
          Open a single-cell RNA dataset in your browser. Search a gene, score a signature, cut out the cells
          that matter, and leave with figures fit for a paper.
        </p>
        <div className="flex flex-wrap gap-3 pt-2">
          <Button asChild size="lg">
            <Link to="/dataset-selector">Start Exploring</Link>
          </Button>
          <Button asChild size="lg" variant="secondary">
            <Link to="/demo">View Demo</Link>
          </Button>
        </div>
      </div>
      <BannerCloud className="mt-6 h-104 lg:mt-0 lg:-mr-6 lg:h-auto lg:pt-6 lg:pb-4 xl:-mr-20" />
    </section>
  );
}
