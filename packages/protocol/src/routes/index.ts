import type { RouteContract } from '../route.ts';
import { ADMIN_ROUTES } from './admin.ts';
import { AGENT_EVENT_ROUTES } from './agent-events.ts';
import { AGENT_ROUTES } from './agents.ts';
import { AUTH_ROUTES } from './auth.ts';
import { BUNDLE_ROUTES } from './bundles.ts';
import { CONTACT_ROUTES } from './contacts.ts';
import { CONVERSATION_ROUTES } from './conversations.ts';
import { DEVICE_FLOW_ROUTES } from './device-flow.ts';
import { DEVICE_ROUTES } from './devices.ts';
import { DOCUMENTATION_ROUTES } from './documentation.ts';
import { INVITATION_ROUTES } from './invitations.ts';
import { KEY_ROUTES } from './keys.ts';
import { OPERATION_ROUTES } from './operations.ts';
import { PASSKEY_ROUTES } from './passkeys.ts';
import { PROXY_ROUTES } from './proxy.ts';
import { RELATION_ROUTES } from './relations.ts';
import { SKILL_ROUTES } from './skills.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

/** All routes: the authorisation table (TR-8) and the API description are made from them. */
export const ROUTES: readonly RouteContract[] = [
  ...AUTH_ROUTES,
  ...PASSKEY_ROUTES,
  ...DEVICE_FLOW_ROUTES,
  ...DEVICE_ROUTES,
  ...KEY_ROUTES,
  ...AGENT_ROUTES,
  ...AGENT_EVENT_ROUTES,
  ...RELATION_ROUTES,
  ...CONTACT_ROUTES,
  ...CONVERSATION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...PROXY_ROUTES,
  ...SKILL_ROUTES,
  ...BUNDLE_ROUTES,
  ...ADMIN_ROUTES,
  ...INVITATION_ROUTES,
  ...OPERATION_ROUTES,
  ...DOCUMENTATION_ROUTES,
];
