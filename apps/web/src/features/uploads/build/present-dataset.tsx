import { roundFileSize } from '@cellfolio/contract';
import { useId } from 'react';
import { Field, Input, Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { useQuota } from '../jobs/own-files.ts';
import { totalSize, type UserFile, useUserFiles } from '../user-files.ts';

export interface PresentChoice {
  keeps: boolean;
  /** Name of the additional dataset; empty for the suggested name. */
  name: string;
}

export function useRoom(userId: string): { free: number; quota: number } | undefined {
  const quota = useQuota(userId);
  const files = useUserFiles(userId).data;
  if (quota === null || files === undefined) return undefined;
  return { free: Math.max(0, quota - totalSize(files)), quota };
}

/** Whether a copy of the file fits; true if unknown here, since the server decides. */
export function hasRoom({ file_size: size }: UserFile, room: ReturnType<typeof useRoom>): boolean {
  return room === undefined || size === null || size <= room.free;
}

interface PresentDatasetProps {
  file: UserFile;
  room: ReturnType<typeof useRoom>;
  choice: PresentChoice;
  suggested: string;
  onChange: (choice: PresentChoice) => void;
}

export function PresentDataset({ file, room, choice, suggested, onChange }: PresentDatasetProps) {
  const id = useId();
  const fits = hasRoom(file, room);
  const options = [
    {
      value: 'keep',
      label: 'Keep it and build a second dataset',
      text: fits
        ? `Both can be opened and compared. Your labels and subsets stay with the current one.${sizeText(file, room)}`
        : `Not enough storage.${sizeText(file, room)} Delete files you no longer need.`,
    },
    {
      value: 'replace',
      label: 'Replace this dataset',
      text: 'The new map and clusters replace the current ones. You can carry over labels, but not cells selected on the map.',
    },
  ] as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-semibold">Current dataset</legend>
      <RadioGroup
        aria-label="Current dataset"
        className="gap-2 sm:grid-cols-2"
        value={choice.keeps && fits ? 'keep' : 'replace'}
        onValueChange={(value) => onChange({ ...choice, keeps: value === 'keep' })}
      >
        {options.map(({ value, label, text }) => (
          <div key={value} className="flex gap-2">
            <RadioGroupItem
              id={`${id}-${value}`}
              value={value}
              disabled={value === 'keep' && !fits}
              aria-describedby={`${id}-${value}-text`}
            />
            <div className="flex min-w-0 flex-col gap-0.5">
              <Label htmlFor={`${id}-${value}`} className="text-[13px]">
                {label}
              </Label>
              <p id={`${id}-${value}-text`} className="text-muted text-xs tabular-nums">
                {text}
              </p>
            </div>
          </div>
        ))}
      </RadioGroup>
      {choice.keeps && fits && (
        <Field label="Name of the new dataset">
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              autoComplete="off"
              className="h-8 text-[13px]"
              placeholder={suggested}
              value={choice.name}
              onChange={({ target }) => onChange({ ...choice, name: target.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}

function sizeText({ file_size: size }: UserFile, room: ReturnType<typeof useRoom>): string {
  if (size === null) return '';
  const left = room && `; ${roundFileSize(room.free)} of ${roundFileSize(room.quota)} are free`;
  return ` A copy of the file needs ${roundFileSize(size)}${left ?? ''}.`;
}
