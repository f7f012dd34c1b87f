import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Renders only the chosen tab: the others load when they are chosen. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // On a phone the row is wider than the screen, and the chosen tab may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another is chosen
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>('[data-state=active]');
    if (!row || !tab) return;
    const { left, right } = tab.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (left < place.left || right > place.right)
      row.scrollLeft += left - place.left - (place.width - tab.offsetWidth) / 2;
  }, [chosen]);
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} className="grid min-w-0 grid-cols-1 gap-6">
      <Radix.List
        ref={list}
        aria-label={label}
        className="-mx-4 flex gap-1 overflow-x-auto border-b px-4 max-sm:in-[[role=dialog]]:-mx-5 max-sm:in-[[role=dialog]]:px-5 sm:mx-0 sm:px-0"
      >
        {tabs.map(({ id, label: name }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-accent"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="min-w-0 outline-none focus-visible:outline-2">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
