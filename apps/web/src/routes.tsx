import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { App } from './app.tsx';
import { lazyPage } from './lazy-page.ts';
import { Broken, NotFound } from './shell/error-pages.tsx';

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: Broken });
/** All pages inside the frame with the navigation. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: App });

const conversations = createRoute({
  getParentRoute: () => framed,
  id: 'conversations',
  component: lazyPage(() => import('./screens/conversations/page.tsx'), 'ConversationsPage'),
});
const home = createRoute({
  getParentRoute: () => conversations,
  path: '/',
  component: lazyPage(() => import('./screens/conversations/page.tsx'), 'NothingOpen'),
});
const thread = createRoute({
  getParentRoute: () => conversations,
  path: '/c/$conversationId',
  component: lazyPage(() => import('./screens/conversations/thread.tsx'), 'Thread'),
});

/** Links and QR codes of agents lead here; the fingerprint behind the # is kept. */
const agentLink = createRoute({
  getParentRoute: () => root,
  path: '/agent/$agentId',
  beforeLoad: ({ params, location }) => {
    throw redirect({ to: '/agents/$agentId', params, hash: location.hash, replace: true });
  },
});

/** Links for a new password lead here. It is outside the frame: nobody has to be signed in, and no keys are opened. */
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./screens/sign-in/reset-password.tsx'), 'ResetPasswordPage'),
});

const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => framed, path, component });

const routeTree = root.addChildren([
  agentLink,
  resetPassword,
  framed.addChildren([
    conversations.addChildren([home, thread]),
    page(
      '/agents',
      lazyPage(() => import('./screens/agents/page.tsx'), 'AgentsPage'),
    ),
    page(
      '/agents/$agentId',
      lazyPage(() => import('./screens/agents/agent.tsx'), 'AgentPage'),
    ),
    // It is inside the frame, so that a wrong address does not stop the device.
    page('/$', NotFound),
    page(
      '/sign-up',
      lazyPage(() => import('./screens/sign-in/signed-up.tsx'), 'SignedUp'),
    ),
    page(
      '/people/$accountId',
      lazyPage(() => import('./screens/conversations/person.tsx'), 'PersonPage'),
    ),
    page(
      '/contacts',
      lazyPage(() => import('./screens/contacts/page.tsx'), 'ContactsPage'),
    ),
    page(
      '/contact/$code',
      lazyPage(() => import('./screens/contacts/link.tsx'), 'ContactLinkPage'),
    ),
    page(
      '/permissions',
      lazyPage(() => import('./screens/permissions/page.tsx'), 'PermissionsPage'),
    ),
    page(
      '/audit',
      lazyPage(() => import('./screens/audit/page.tsx'), 'AuditPage'),
    ),
    page(
      '/developer',
      lazyPage(() => import('./screens/developer/page.tsx'), 'DeveloperPage'),
    ),
    page(
      '/developer/$agentId',
      lazyPage(() => import('./screens/developer/agent.tsx'), 'OwnAgentPage'),
    ),
    page(
      '/bundles',
      lazyPage(() => import('./screens/bundles/page.tsx'), 'BundlesPage'),
    ),
    page(
      '/bundles/$bundleId',
      lazyPage(() => import('./screens/bundles/bundle.tsx'), 'BundlePage'),
    ),
    page(
      '/skills',
      lazyPage(() => import('./screens/skills/page.tsx'), 'SkillsPage'),
    ),
    page(
      '/skills/$skillId',
      lazyPage(() => import('./screens/skills/skill.tsx'), 'SkillPage'),
    ),
    page(
      '/settings',
      lazyPage(() => import('./screens/settings/page.tsx'), 'SettingsPage'),
    ),
    page(
      '/device',
      lazyPage(() => import('./screens/device/page.tsx'), 'DevicePage'),
    ),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  // The frame around a page that cannot be drawn stays, and with it the questions.
  defaultErrorComponent: Broken,
  // A conversation knows better where to open (WC-33): this would put it back to where it was before the link was followed.
  scrollRestoration: ({ location }) => !/\/c\/[^/]+$/.test(location.pathname),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
