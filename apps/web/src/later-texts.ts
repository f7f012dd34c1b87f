import { agents } from './screens/agents/texts.ts';
import { audit } from './screens/audit/texts.ts';
import { bundles } from './screens/bundles/texts.ts';
import { contacts } from './screens/contacts/texts.ts';
import { calls } from './screens/conversations/calls/texts.ts';
import { cards } from './screens/conversations/cards/texts.ts';
import { conversations } from './screens/conversations/texts.ts';
import { agentEvents } from './screens/developer/events/texts.ts';
import { developer } from './screens/developer/texts.ts';
import { deviceFlow } from './screens/device/texts.ts';
import { permissions } from './screens/permissions/texts.ts';
import { settings } from './screens/settings/texts.ts';
import { skills } from './screens/skills/texts.ts';

/** What is said to people who are signed in. */
export const LATER_TEXTS = {
  conversations,
  calls,
  cards,
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
