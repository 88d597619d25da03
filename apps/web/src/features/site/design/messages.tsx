import { CircleAlert, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Accordion, AccordionContent, AccordionItem, AccordionTrigger } from '@/components/ui/accordion.tsx';
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogTitle,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogTitle,
  DialogTrigger,
} from '@/components/ui/dialog.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Pagination } from '@/components/ui/pagination.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Skeleton } from '@/components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Specimen } from './specimen.tsx';

const tones = ['neutral', 'accent', 'success', 'warning', 'danger'] as const;

/** What tells, waits, opens and holds. */
export function Messages() {
  const [page, setPage] = useState(1);
  return (
    <>
      <Specimen title="Messages">
        <div className="flex w-96 flex-col gap-2">
          {tones.map((tone) => (
            <Alert key={tone} variant={tone}>
              <CircleAlert aria-hidden />
              {tone}: the file was kept, its name was not.
            </Alert>
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          {[...tones, 'blue', 'purple'].map((tone) => (
            <Badge key={tone} variant={tone as 'neutral'}>
              {tone}
            </Badge>
          ))}
        </div>
        <div className="flex flex-col items-start gap-2">
          {(['success', 'error', 'warning', 'info'] as const).map((kind) => (
            <Button
              key={kind}
              size="sm"
              variant="secondary"
              onClick={() => toast[kind]('Gene UMAP Generated', { description: 'CD79A in 5,198 cells.' })}
            >
              Notice: {kind}
            </Button>
          ))}
        </div>
      </Specimen>
      <Specimen title="Waiting and nothing">
        <div className="flex w-60 flex-col gap-3">
          <Progress aria-label="Upload" value={40} />
          <Progress aria-label="Analysis" value={null} />
          <Skeleton className="h-24" />
        </div>
        <EmptyState icon={ImageOff} title="No files uploaded yet" className="w-72">
          <p>Upload your first file above to get started!</p>
        </EmptyState>
      </Specimen>
      <Specimen title="Opening">
        <Dialog>
          <DialogTrigger asChild>
            <Button variant="secondary">Dialog</Button>
          </DialogTrigger>
          <DialogContent>
            <DialogTitle>A dialog</DialogTitle>
            <DialogDescription>It can be left without an answer.</DialogDescription>
          </DialogContent>
        </Dialog>
        <AlertDialog>
          <AlertDialogTrigger asChild>
            <Button variant="secondary">Question</Button>
          </AlertDialogTrigger>
          <AlertDialogContent>
            <AlertDialogTitle>Delete this file?</AlertDialogTitle>
            <AlertDialogDescription>Are you sure you want to delete this file?</AlertDialogDescription>
            <AlertDialogFooter>
              <AlertDialogCancel>Cancel</AlertDialogCancel>
              <AlertDialogAction destructive>Delete</AlertDialogAction>
            </AlertDialogFooter>
          </AlertDialogContent>
        </AlertDialog>
        <Popover>
          <PopoverTrigger asChild>
            <Button variant="secondary">Popover</Button>
          </PopoverTrigger>
          <PopoverContent>Something small beside its control.</PopoverContent>
        </Popover>
        <Collapsible className="w-60">
          <CollapsibleTrigger>Signature Visualization</CollapsibleTrigger>
          <CollapsibleContent className="px-2">What the panel holds.</CollapsibleContent>
        </Collapsible>
        <Accordion type="single" collapsible className="w-60">
          <AccordionItem value="breast">
            <AccordionTrigger>Breast Cancer</AccordionTrigger>
            <AccordionContent>Triple-negative (1 dataset)</AccordionContent>
          </AccordionItem>
          <AccordionItem value="lung">
            <AccordionTrigger>Lung Cancer</AccordionTrigger>
            <AccordionContent>Adenocarcinoma (1 dataset)</AccordionContent>
          </AccordionItem>
        </Accordion>
      </Specimen>
      <Specimen title="Holding">
        <Card className="w-72">
          <CardHeader>
            <CardTitle>Current Dataset</CardTitle>
          </CardHeader>
          <CardContent>5,198 cells</CardContent>
        </Card>
        <div className="flex w-96 flex-col gap-2">
          <Table aria-label="Markers">
            <TableHeader>
              <TableRow>
                <TableHead>Gene</TableHead>
                <TableHead className="text-right">log fold change</TableHead>
              </TableRow>
            </TableHeader>
            <TableBody>
              <TableRow>
                <TableCell>CD79A</TableCell>
                <TableCell className="text-right">5.21</TableCell>
              </TableRow>
              <TableRow>
                <TableCell>MS4A1</TableCell>
                <TableCell className="text-right">4.87</TableCell>
              </TableRow>
            </TableBody>
          </Table>
          <Pagination page={page} pageCount={3} onPageChange={setPage} label="Markers" />
        </div>
      </Specimen>
    </>
  );
}
