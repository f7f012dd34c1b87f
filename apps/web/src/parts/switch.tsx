import { Switch as Radix } from 'radix-ui';
import { Spinner } from './spinner.tsx';

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean;
  /** What it was switched to is being done. It keeps the focus, and takes no other answer meanwhile. */
  readonly busy?: boolean;
}

export function Switch({ checked, onChange, label, disabled = false, busy = false }: SwitchProps) {
  return (
    <Radix.Root
      checked={checked}
      onCheckedChange={(next) => !busy && onChange(next)}
      disabled={disabled}
      aria-label={label}
      aria-busy={busy || undefined}
      className="relative h-6 w-11 shrink-0 rounded-full border bg-raised transition disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="grid size-4.5 translate-x-0.5 place-items-center rounded-full bg-muted text-page transition data-[state=checked]:translate-x-5.5 data-[state=checked]:bg-on-accent data-[state=checked]:text-accent [&>svg]:size-3.5">
        {busy && <Spinner />}
      </Radix.Thumb>
    </Radix.Root>
  );
}
