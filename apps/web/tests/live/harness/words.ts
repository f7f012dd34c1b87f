import { parts } from '../../../src/parts/texts.ts';
import { agents } from '../../../src/screens/agents/texts.ts';
import { audit } from '../../../src/screens/audit/texts.ts';
import { bundles } from '../../../src/screens/bundles/texts.ts';
import { conversations } from '../../../src/screens/conversations/texts.ts';
import { agentEvents } from '../../../src/screens/developer/events/texts.ts';
import { developer } from '../../../src/screens/developer/texts.ts';
import { deviceFlow } from '../../../src/screens/device/texts.ts';
import { permissions } from '../../../src/screens/permissions/texts.ts';
import { settings } from '../../../src/screens/settings/texts.ts';
import { signIn } from '../../../src/screens/sign-in/texts.ts';
import { skills } from '../../../src/screens/skills/texts.ts';
import { shell } from '../../../src/shell/texts.ts';

const TEXTS = {
  parts,
  shell,
  signIn,
  conversations,
  agents,
  permissions,
  audit,
  settings,
  deviceFlow,
  developer,
  agentEvents,
  bundles,
  skills,
};

export type Locale = 'en' | 'zh-CN';
export type Words = ReturnType<typeof wordsOf>;

/** What the page says, in one language: tests look for the words a person would. */
export function wordsOf(locale: Locale) {
  const pick = <T>(texts: { readonly en: T; readonly 'zh-CN': unknown }) => texts[locale] as T;
  return {
    parts: pick(TEXTS.parts),
    shell: pick(TEXTS.shell),
    signIn: pick(TEXTS.signIn),
    conversations: pick(TEXTS.conversations),
    agents: pick(TEXTS.agents),
    permissions: pick(TEXTS.permissions),
    audit: pick(TEXTS.audit),
    settings: pick(TEXTS.settings),
    deviceFlow: pick(TEXTS.deviceFlow),
    developer: pick(TEXTS.developer),
    agentEvents: pick(TEXTS.agentEvents),
    bundles: pick(TEXTS.bundles),
    skills: pick(TEXTS.skills),
  };
}

/** A sentence with its holes filled. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}
