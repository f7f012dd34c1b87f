import { classNames } from './class-names.ts';

interface ProgressBarProps {
  readonly label: string;
  /** A number from 0 to 1; undefined if the progress is not known. */
  readonly value: number | undefined;
  readonly className?: string;
}

/** Uses the browser's own element, which every assistive technology knows. */
export function ProgressBar({ label, value, className }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      {...(value === undefined ? {} : { value })}
      className={classNames(
        'block h-2 w-full appearance-none overflow-hidden rounded-full border-none bg-raised text-accent',
        '[&::-moz-progress-bar]:bg-accent',
        '[&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-all',
        value === undefined
          ? 'animate-pulse [&::-webkit-progress-bar]:bg-accent/40'
          : '[&::-webkit-progress-bar]:bg-raised',
        className,
      )}
    />
  );
}
