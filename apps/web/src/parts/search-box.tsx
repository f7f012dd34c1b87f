import { Search } from 'lucide-react';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <label className="flex items-center gap-2 rounded-lg border bg-surface px-3 focus-within:border-accent focus-within:outline-2 focus-within:outline-accent">
      <Search aria-hidden className="size-4 text-muted" />
      <input
        type="search"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        placeholder={label}
        aria-label={label}
        maxLength={200}
        className="min-h-11 w-full bg-transparent outline-none"
      />
    </label>
  );
}
