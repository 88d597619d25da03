import { isPackedTar, type LinkPreview } from '@cellfolio/contract';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Field, Input } from '@/components/ui/form.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { toast } from '@/components/ui/toast.ts';
import { plural } from '@/lib/format.ts';
import { failureWords } from '../jobs/job-calls.ts';
import { DownloadList } from './download-list.tsx';
import { useLookAtLink, useStartDownloads } from './link-calls.ts';
import type { ChosenData } from './link-calls.ts';
import { LinkedDatasets } from './linked-datasets.tsx';

interface LinkCardProps {
  userId: string;
  allowed: boolean;
}

export function LinkCard({ userId, allowed }: LinkCardProps) {
  const [link, setLink] = useState('');
  const look = useLookAtLink();
  const download = useStartDownloads(userId);
  const looked = look.data !== undefined && look.variables === link.trim() ? look.data : undefined;
  // As long as a download takes.
  const isLong = look.isPending && isPackedTar(URL.parse(look.variables)?.pathname ?? '');
  const start = (chosen: ChosenData) => {
    download.mutate(
      { link: link.trim(), ...chosen },
      {
        onSuccess: (jobs) => {
          toast.success('Download Started', {
            description: `${plural(jobs.length, 'dataset')} of the link will be added to your files.`,
          });
          setLink('');
          look.reset();
        },
      },
    );
  };
  return (
    <Card aria-labelledby="fetch-link">
      <CardHeader>
        <CardTitle id="fetch-link">Fetch from a Link</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (allowed && !look.isPending && link.trim() !== '') look.mutate(link.trim());
          }}
        >
          <Field
            label="Paste a link"
            hint="A collection or dataset of CELLxGENE Discover, a GEO accession or its page, or the https address of a file or of an archive (.tar, .tar.gz). The server downloads it."
            error={look.isError && look.variables === link.trim() ? failureWords(look.error) : undefined}
          >
            {(control) => (
              <div className="flex flex-wrap gap-2 sm:flex-nowrap">
                <Input
                  {...control}
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={4000}
                  placeholder="https://cellxgene.cziscience.com/collections/… or GSE123456"
                  disabled={!allowed}
                  value={link}
                  onChange={({ target }) => setLink(target.value)}
                />
                <Button
                  type="submit"
                  variant="secondary"
                  className="shrink-0"
                  disabled={!allowed || look.isPending || link.trim() === ''}
                >
                  {look.isPending && <Spinner />}
                  Show contents
                </Button>
              </div>
            )}
          </Field>
          <p role="status" className={isLong ? 'text-muted mt-2 text-xs' : 'sr-only'}>
            {look.isPending
              ? isLong
                ? 'The server has to read the whole archive to list its contents.'
                : 'Reading the link.'
              : looked && previewText(looked)}
          </p>
        </form>
        {download.isError && (
          <Alert variant="danger" role="alert">
            <span className="wrap-anywhere">{failureWords(download.error)}</span>
          </Alert>
        )}
        {looked !== undefined && (
          <LinkedDatasets key={link} preview={looked} pending={download.isPending} onDownload={start} />
        )}
        <DownloadList userId={userId} />
      </CardContent>
    </Card>
  );
}

function previewText({ title, datasets, left }: LinkPreview): string {
  return `${title}: ${plural(datasets.length + left, 'dataset')}.`;
}
