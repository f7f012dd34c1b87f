import { Bell, Clipboard, Folder, Globe, KeyRound, type LucideProps, MapPin } from 'lucide-react';
import type { ComponentType } from 'react';

/** The icons by the names that the consent preview uses. */
const ICONS: Readonly<Record<string, ComponentType<LucideProps>>> = {
  bell: Bell,
  folder: Folder,
  clipboard: Clipboard,
  'map-pin': MapPin,
  globe: Globe,
};

export function ScopeIcon({ name, ...rest }: { readonly name: string } & LucideProps) {
  const Icon = (Object.hasOwn(ICONS, name) && ICONS[name]) || KeyRound;
  return <Icon aria-hidden {...rest} />;
}
