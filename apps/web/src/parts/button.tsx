import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

const STYLES = {
  primary: 'bg-accent text-on-accent hover:brightness-110',
  plain: 'bg-surface text-ink border hover:bg-raised',
  quiet: 'text-ink hover:bg-raised',
  soft: 'bg-accent-soft text-accent border border-accent/30 hover:border-accent',
  alarm: 'bg-high text-on-accent hover:brightness-110',
  danger: 'bg-high-soft text-high border border-high/40 hover:border-high',
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: keyof typeof STYLES;
  readonly size?: 'small' | 'normal';
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button is at least 24 pixels high in every size (WCAG 2.5.8), and 44 on touch screens. */
export function Button({
  variant = 'plain',
  size = 'normal',
  busy = false,
  icon,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classNames(
        'inline-flex items-center justify-center gap-2 rounded-lg font-medium transition select-none',
        'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-default',
        size === 'small' ? 'min-h-8 px-3 text-sm pointer-coarse:min-h-11' : 'min-h-10 px-4 pointer-coarse:min-h-11',
        STYLES[variant],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Screen readers read it, and it is shown on hover. */
  readonly label: string;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid size-10 place-items-center rounded-lg text-muted transition hover:bg-raised hover:text-ink pointer-coarse:size-11',
        'disabled:cursor-not-allowed disabled:opacity-55',
        className,
      )}
    >
      {children}
    </button>
  );
}
