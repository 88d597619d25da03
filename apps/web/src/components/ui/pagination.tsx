import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cn } from '@/lib/cn.ts';
import { Button } from './button.tsx';

interface PaginationProps {
  /** Page shown, from 1. */
  page: number;
  pageCount: number;
  onPageChange: (page: number) => void;
  /** What is paged, for screen readers: 'Image library'. */
  label: string;
  className?: string;
}

/** Previous, where one is, next. The buttons stay in place on the first and last page. */
export function Pagination({ page, pageCount, onPageChange, label, className }: PaginationProps) {
  return (
    <nav aria-label={`${label} pages`} className={cn('flex items-center gap-1', className)}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPageChange(page - 1)}
      >
        <ChevronLeft aria-hidden />
      </Button>
      <span aria-live="polite" className="text-muted min-w-20 text-center text-xs tabular-nums">
        Page {page} of {Math.max(pageCount, 1)}
      </span>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Next page"
        disabled={page >= pageCount}
        onClick={() => onPageChange(page + 1)}
      >
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
