import type { CatalogueDataset, DatasetAnalysis, ProcessingRecord } from '@cellfolio/contract';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { SimulatedBadge } from '@/features/catalogue/index.ts';
import { ParentWarnings, PartOf } from '@/features/subclusterings/index.ts';
import { ProcessAgain, ProcessingFacts } from '@/features/uploads/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import { groupedByOf } from './explorer-images.ts';
import type { CustomFile } from './open-dataset.tsx';
import { ReplacedDataset } from './replaced-dataset.tsx';

interface CurrentDatasetCardProps {
  disease: string;
  filename: string;
  analysis: DatasetAnalysis;
  entry: CatalogueDataset | undefined;
  /** Set for an upload. */
  custom: CustomFile | null;
  /** The server has another version than the open one. */
  isReplaced: boolean;
  onReload: () => Promise<boolean>;
  /** Few lines are shown, the others scrolled to. */
  isShort?: true;
}

export function CurrentDatasetCard({
  disease,
  filename,
  analysis,
  entry,
  custom,
  isReplaced,
  onReload,
  isShort,
}: CurrentDatasetCardProps) {
  return (
    <Card aria-labelledby="current-dataset" className="shrink-0">
      <CardHeader className="px-3 pt-1.5 pb-1">
        <CardTitle id="current-dataset">Current Dataset</CardTitle>
        {analysis.simulated === true && <SimulatedBadge />}
        {custom !== null && <Badge>Custom Dataset</Badge>}
      </CardHeader>
      <CardContent
        {...(isShort && { tabIndex: 0, role: 'group', 'aria-labelledby': 'current-dataset' })}
        className={cn(
          'flex flex-col gap-3 px-3 pb-3',
          isShort &&
            'max-h-32 overflow-y-auto overscroll-contain -outline-offset-2 max-sm:max-h-none [@media(max-height:50rem)]:max-h-6 [@media(max-height:60rem)]:max-h-16',
        )}
      >
        <dl className="grid grid-cols-[5rem_1fr] gap-x-3 gap-y-1 text-[13px]">
          {custom === null ? (
            <>
              <Row name="Dataset">
                {entry?.name ?? filename}
                {entry !== undefined && entry.name !== filename && (
                  <span className="text-muted block text-xs break-all">{filename}</span>
                )}
              </Row>
              {disease !== '' && <Row name="Disease">{disease}</Row>}
            </>
          ) : (
            <>
              <Row name="Type">H5AD upload</Row>
              {custom.name !== '' && <Row name="File">{custom.name}</Row>}
              <Row name="File ID">{custom.id.slice(0, 8)}</Row>
            </>
          )}
          <Row name="Cells">{formatCount(analysis.cell_count)}</Row>
          {groupedByOf(analysis) === 'cluster' ? (
            <Row name="Clusters">{formatCount(analysis.leiden_clusters.length)}</Row>
          ) : (
            <Row name="Cell types">{formatCount(analysis.cell_types.length)}</Row>
          )}
          <Row name="Genes">{formatCount(analysis.gene_count)}</Row>
        </dl>
        {custom !== null && <PartOf filename={filename} />}
        {analysis.processing !== undefined && <Processing record={analysis.processing} />}
        {analysis.warnings.map(({ code, message }) => (
          <Alert key={`${code}\n${message}`} variant="warning">
            <TriangleAlert aria-hidden />
            <span className="min-w-0 break-words">
              {code === 'samples-not-mixed' ? <WithArticle message={message} /> : message}
            </span>
          </Alert>
        ))}
        {custom !== null && <ParentWarnings filename={filename} />}
        {custom !== null && (
          <ProcessAgain
            fileId={custom.id}
            replaced={
              isReplaced && (
                <ReplacedDataset
                  text="A new version is ready. This page still shows the previous one."
                  onReload={onReload}
                />
              )
            }
          />
        )}
        {custom !== null && (
          <p className="text-muted text-xs">
            Change its columns and settings under{' '}
            <Link to="/upload-data" className="text-foreground rounded underline underline-offset-4">
              Upload Data
            </Link>
            .
          </p>
        )}
      </CardContent>
    </Card>
  );
}

/** Processing of raw counts, initially collapsed: it is needed when a paper is written. */
function Processing({ record }: { record: ProcessingRecord }) {
  return (
    <Collapsible>
      <CollapsibleTrigger className="-mx-2 w-[calc(100%+1rem)] text-[13px]">
        Computed from raw counts
      </CollapsibleTrigger>
      <CollapsibleContent>
        <div className="pt-1.5">
          <ProcessingFacts record={record} />
        </div>
      </CollapsibleContent>
    </Collapsible>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words tabular-nums">{children}</dd>
    </>
  );
}

const batchArticle = '/blog/batch-correction-scrna-seq-methods-comparison';

function WithArticle({ message }: { message: string }) {
  const [before, ...after] = message.split(batchArticle);
  if (after.length === 0) return message;
  return (
    <>
      {before?.replace(/the article $/, '')}
      <Link to={batchArticle} className="rounded underline underline-offset-4">
        the article on batch correction
      </Link>
      {after.join('')}
    </>
  );
}
