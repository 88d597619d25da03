import { Download, Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Input } from '@/components/ui/input.tsx';
import { Label } from '@/components/ui/label.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Slider } from '@/components/ui/slider.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { Textarea } from '@/components/ui/textarea.tsx';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import { Specimen } from './specimen.tsx';

const variants = ['primary', 'secondary', 'ghost', 'danger', 'destructive', 'link'] as const;
const buttonSizes = ['lg', 'md', 'sm', 'xs'] as const;

/** What is pressed, typed into and chosen from. */
export function Controls() {
  return (
    <>
      <Specimen title="Buttons">
        {variants.map((variant) => (
          <div key={variant} className="flex flex-col items-start gap-2">
            <Button variant={variant}>{variant}</Button>
            <Button variant={variant} disabled>
              {variant}
            </Button>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-2">
          {buttonSizes.map((size) => (
            <Button key={size} size={size}>
              Size {size}
            </Button>
          ))}
          <Button disabled>
            <Spinner />
            Generating...
          </Button>
          <Button variant="secondary" size="icon" aria-label="Download">
            <Download aria-hidden />
          </Button>
          <Button variant="danger" size="icon-sm" aria-label="Delete">
            <Trash2 aria-hidden />
          </Button>
        </div>
      </Specimen>
      <Specimen title="Fields">
        <Field label="Name" className="w-60">
          {(control) => <Input {...control} placeholder="Your full name" />}
        </Field>
        <Field label="Subject" optional hint="What's this about?" className="w-60">
          {(control) => <Input {...control} defaultValue="Markers" />}
        </Field>
        <Field label="Password" error="Password must be at least 6 characters" className="w-60">
          {(control) => <Input {...control} type="password" defaultValue="12345" />}
        </Field>
        <Field label="File name" className="w-60">
          {(control) => <Input {...control} disabled defaultValue="tumour_one.h5ad" />}
        </Field>
        <Field label="Message" className="w-72">
          {(control) => <Textarea {...control} placeholder="Tell us how we can help you..." />}
        </Field>
        <Field label="Library" className="w-60">
          {(control) => (
            <Select defaultValue="kegg">
              <SelectTrigger {...control}>
                <SelectValue />
              </SelectTrigger>
              <SelectContent>
                <SelectItem value="kegg">KEGG_2021_Human</SelectItem>
                <SelectItem value="hallmark">MSigDB_Hallmark_2020</SelectItem>
                <SelectItem value="reactome" disabled>
                  Reactome_Pathways_2024
                </SelectItem>
              </SelectContent>
            </Select>
          )}
        </Field>
      </Specimen>
      <Specimen title="Choices">
        {[
          { label: 'Off', checked: false, disabled: false },
          { label: 'On', checked: true, disabled: false },
          { label: 'Off, disabled', checked: false, disabled: true },
          { label: 'On, disabled', checked: true, disabled: true },
        ].map(({ label, checked, disabled }) => (
          <div key={label} className="flex flex-col gap-3">
            <Label className="flex items-center gap-2">
              <Checkbox defaultChecked={checked} disabled={disabled} />
              {label}
            </Label>
            <Label className="flex items-center gap-2">
              <Switch defaultChecked={checked} disabled={disabled} />
              {label}
            </Label>
          </div>
        ))}
        <RadioGroup defaultValue="positive" aria-label="Gene filter">
          {['positive', 'negative', 'percentile'].map((mode) => (
            <Label key={mode} className="flex items-center gap-2">
              <RadioGroupItem value={mode} />
              {mode}
            </Label>
          ))}
        </RadioGroup>
        <div className="flex w-60 flex-col gap-2">
          <span className="text-sm font-medium">Percentiles</span>
          <Slider min={1} max={99} defaultValue={[1, 50]} labels={['Minimum', 'Maximum']} />
        </div>
        <ToggleGroup type="single" defaultValue="columns" aria-label="Layout">
          <ToggleGroupItem value="columns">Columns</ToggleGroupItem>
          <ToggleGroupItem value="steps">Steps</ToggleGroupItem>
        </ToggleGroup>
        <Tabs defaultValue="in" className="w-60">
          <TabsList aria-label="Example">
            <TabsTrigger value="in">Sign In</TabsTrigger>
            <TabsTrigger value="up">Sign Up</TabsTrigger>
          </TabsList>
          <TabsContent value="in">First panel</TabsContent>
          <TabsContent value="up">Second panel</TabsContent>
        </Tabs>
      </Specimen>
    </>
  );
}
