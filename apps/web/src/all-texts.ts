import { parts } from './parts/texts.ts';
import { agents } from './screens/agents/texts.ts';
import { audit } from './screens/audit/texts.ts';
import { bundles } from './screens/bundles/texts.ts';
import { contacts } from './screens/contacts/texts.ts';
import { conversations } from './screens/conversations/texts.ts';
import { agentEvents } from './screens/developer/events/texts.ts';
import { developer } from './screens/developer/texts.ts';
import { deviceFlow } from './screens/device/texts.ts';
import { permissions } from './screens/permissions/texts.ts';
import { settings } from './screens/settings/texts.ts';
import { signIn } from './screens/sign-in/texts.ts';
import { skills } from './screens/skills/texts.ts';
import { shell } from './shell/texts.ts';

/** Each part of the app has one entry; its name is the namespace for `useTranslation`. */
export const ALL_TEXTS = {
  parts,
  shell,
  signIn,
  conversations,
  contacts,
  agents,
  permissions,
  audit,
  settings,
  deviceFlow,
  developer,
  agentEvents,
  bundles,
  skills,
} as const;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: { [Name in keyof typeof ALL_TEXTS]: (typeof ALL_TEXTS)[Name]['en'] };
  }
}
