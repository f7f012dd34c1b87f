import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface CardProps {
  readonly children: ReactNode;
  readonly className?: string;
  /** Removes the padding, so that lists reach the edge. */
  readonly flush?: boolean;
}

export function Card({ children, className, flush = false }: CardProps) {
  return (
    <section
      className={classNames('overflow-hidden rounded-card border bg-surface shadow-card', !flush && 'p-5', className)}
    >
      {children}
    </section>
  );
}

/** Shows the title, the lead and the actions of a page. */
export function PageHead({
  title,
  lead,
  actions,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly actions?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="max-w-2xl">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="grid place-items-center gap-3 rounded-card border border-dashed px-6 py-12 text-center">
      {icon && <div className="text-muted">{icon}</div>}
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-sm text-muted">{children}</div>}
    </div>
  );
}
