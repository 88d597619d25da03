import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';

interface DataTableProps {
  caption: ReactNode;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  text?: boolean;
}

export function DataTable({ caption, head, rows, text = false }: DataTableProps) {
  return (
    <div
      role="region"
      aria-label={head.join(', ')}
      // Wide tables scroll by themselves, also from the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="my-8 break-inside-avoid overflow-x-auto"
    >
      <table className="w-full border-collapse text-[15px] leading-normal">
        <caption className="text-muted caption-bottom pt-3 text-left text-[14px] leading-normal text-pretty">
          {caption}
        </caption>
        <thead>
          <tr className="border-b">
            {head.map((cell, i) => (
              <th
                key={cell}
                scope="col"
                className={cn(
                  'px-3 py-2 align-bottom font-semibold first:pl-0',
                  i === 0 || text ? 'text-left' : 'text-right',
                )}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')} className="border-b">
              {row.map((cell, i) =>
                i === 0 ? (
                  <th key={head[i]} scope="row" className="py-2 pr-3 text-left font-normal">
                    {cell}
                  </th>
                ) : (
                  <td key={head[i]} className={cn('px-3 py-2', !text && 'text-right whitespace-nowrap')}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
