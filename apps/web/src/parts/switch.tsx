import { Switch as Radix } from 'radix-ui';

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean;
}

export function Switch({ checked, onChange, label, disabled = false }: SwitchProps) {
  return (
    <Radix.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
      className="relative h-6 w-11 shrink-0 rounded-full border bg-raised transition disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-muted transition data-[state=checked]:translate-x-5.5 data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  );
}
