import { type UploadKind, uploadKinds } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';

/** The formats written out in the line; the others are given by their extensions. */
const namedCount = 3;

export function FormatsLine() {
  const named = uploadKinds.slice(0, namedCount);
  const others = uploadKinds.slice(namedCount);
  return (
    <div className="text-muted flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[13px]">
      <ul aria-label="Accepted formats" className="flex flex-wrap gap-x-2 gap-y-0.5">
        {named.map(({ kind, files, extension }) => (
          <li key={kind} className="after:ml-2 after:content-['·']">
            <span className="text-foreground font-medium">{files}</span> ({extension})
          </li>
        ))}
        {others.map(({ kind, extension }, at) => (
          <li key={kind} className={at < others.length - 1 ? "after:ml-2 after:content-['·']" : undefined}>
            {extension}
          </li>
        ))}
      </ul>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="xs" className="group -my-1">
            About the formats
            <ChevronDown
              aria-hidden
              className="transition-transform duration-150 group-data-[state=open]:rotate-180"
            />
          </Button>
        </PopoverTrigger>
        <PopoverContent
          align="end"
          className="max-h-(--radix-popover-content-available-height) w-96 max-w-(--radix-popover-content-available-width) overflow-y-auto"
        >
          <dl className="flex flex-col gap-2">
            {uploadKinds.map((upload) => (
              <Format key={upload.kind} upload={upload} />
            ))}
          </dl>
        </PopoverContent>
      </Popover>
    </div>
  );
}

function Format({ upload: { files, extension, gzip, hold } }: { upload: UploadKind }) {
  return (
    <div>
      <dt className="text-[13px] font-medium">
        {files}{' '}
        <span className="text-muted font-normal">
          ({extension}
          {gzip && `, ${extension}.gz`})
        </span>
      </dt>
      <dd className="text-muted text-xs">{hold}</dd>
    </div>
  );
}
