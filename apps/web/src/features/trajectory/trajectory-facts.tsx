import type { TrajectoryAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, plural } from '@/lib/format.ts';

const maxListed = 30;

export function TrajectoryFacts({ answer }: { answer: TrajectoryAnswer }) {
  const { root, cells, groups, connectivities, group_title: title } = answer;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Root:</span> {root.barcode}
          {root.group !== '' && ` (${root.group})`} · {formatCount(cells.reached)} of{' '}
          {formatCount(cells.analysed)} cells ordered · {formatCount(groups.length)} groups of {title}
        </>
      }
    >
      <dt>Root</dt>
      <dd>{root.how}</dd>
      <dt>Graph</dt>
      <dd>
        {answer.neighbors}; {plural(cells.parts, 'connected part', 'parts')}
      </dd>
      <dt>Order</dt>
      <dd>
        diffusion pseudotime as in scanpy, {answer.parameters.n_dcs} components; 0 is the root, 1 the farthest
        cell
      </dd>
      <dt>Groups</dt>
      <dd>
        <GroupTable groups={groups} title={title} />
      </dd>
      <dt>Connectivities</dt>
      <dd>
        <EdgeTable edges={connectivities} />
      </dd>
    </ResultFacts>
  );
}

const time = (value: number | null) => (value === null ? '–' : value.toFixed(3));

function GroupTable({ groups, title }: { groups: TrajectoryAnswer['groups']; title: string }) {
  const inOrder = groups.toSorted((one, other) => (one.median ?? Infinity) - (other.median ?? Infinity));
  return (
    <Table aria-label={`Groups of ${title} along pseudotime`}>
      <TableHeader>
        <TableRow>
          <TableHead>{title}</TableHead>
          <TableHead className="text-right">Cells</TableHead>
          <TableHead className="text-right">Ordered</TableHead>
          <TableHead className="text-right">First quartile</TableHead>
          <TableHead className="text-right">Median pseudotime</TableHead>
          <TableHead className="text-right">Third quartile</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {inOrder.map(({ name, cells, reached, first_quartile: first, median, third_quartile: third }) => (
          <TableRow key={name}>
            <TableCell>{name}</TableCell>
            <TableCell className="text-right">{formatCount(cells)}</TableCell>
            <TableCell className="text-right">{formatCount(reached)}</TableCell>
            <TableCell className="text-right">{time(first)}</TableCell>
            <TableCell className="text-right">{time(median)}</TableCell>
            <TableCell className="text-right">{time(third)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function EdgeTable({ edges }: { edges: TrajectoryAnswer['connectivities'] }) {
  if (edges.length === 0) return <>no two groups are connected</>;
  return (
    <>
      <Table aria-label="PAGA connectivities">
        <TableHeader>
          <TableRow>
            <TableHead>Groups</TableHead>
            <TableHead className="text-right">Connectivity (PAGA)</TableHead>
            <TableHead>Spanning tree</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody className="tabular-nums">
          {edges.slice(0, maxListed).map(({ groups: [one, other], connectivity, in_tree: inTree }) => (
            <TableRow key={JSON.stringify([one, other])}>
              <TableCell>
                {one} – {other}
              </TableCell>
              <TableCell className="text-right">{connectivity.toFixed(3)}</TableCell>
              <TableCell>{inTree ? 'yes' : ''}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {edges.length > maxListed && <p>{formatCount(edges.length - maxListed)} weaker ones are not listed.</p>}
    </>
  );
}
