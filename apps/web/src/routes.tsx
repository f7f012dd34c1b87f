import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { App } from './app.tsx';
import { Broken, NotFound } from './shell/error-pages.tsx';

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: Broken });
/** All pages inside the frame with the navigation. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: App });

const conversations = createRoute({
  getParentRoute: () => framed,
  id: 'conversations',
  component: lazyRouteComponent(() => import('./screens/conversations/page.tsx'), 'ConversationsPage'),
});
const home = createRoute({
  getParentRoute: () => conversations,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/conversations/page.tsx'), 'NothingOpen'),
});
const thread = createRoute({
  getParentRoute: () => conversations,
  path: '/c/$conversationId',
  component: lazyRouteComponent(() => import('./screens/conversations/thread.tsx'), 'Thread'),
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
      lazyRouteComponent(() => import('./screens/agents/page.tsx'), 'AgentsPage'),
    ),
    page(
      '/agents/$agentId',
      lazyRouteComponent(() => import('./screens/agents/agent.tsx'), 'AgentPage'),
    ),
    // It is inside the frame, so that a wrong address does not stop the device.
    page('/$', NotFound),
    page(
      '/sign-up',
      lazyRouteComponent(() => import('./screens/sign-in/signed-up.tsx'), 'SignedUp'),
    ),
    page(
      '/people/$accountId',
      lazyRouteComponent(() => import('./screens/conversations/person.tsx'), 'PersonPage'),
    ),
    page(
      '/contacts',
      lazyRouteComponent(() => import('./screens/contacts/page.tsx'), 'ContactsPage'),
    ),
    page(
      '/contact/$code',
      lazyRouteComponent(() => import('./screens/contacts/link.tsx'), 'ContactLinkPage'),
    ),
    page(
      '/permissions',
      lazyRouteComponent(() => import('./screens/permissions/page.tsx'), 'PermissionsPage'),
    ),
    page(
      '/audit',
      lazyRouteComponent(() => import('./screens/audit/page.tsx'), 'AuditPage'),
    ),
    page(
      '/developer',
      lazyRouteComponent(() => import('./screens/developer/page.tsx'), 'DeveloperPage'),
    ),
    page(
      '/developer/$agentId',
      lazyRouteComponent(() => import('./screens/developer/agent.tsx'), 'OwnAgentPage'),
    ),
    page(
      '/bundles',
      lazyRouteComponent(() => import('./screens/bundles/page.tsx'), 'BundlesPage'),
    ),
    page(
      '/bundles/$bundleId',
      lazyRouteComponent(() => import('./screens/bundles/bundle.tsx'), 'BundlePage'),
    ),
    page(
      '/skills',
      lazyRouteComponent(() => import('./screens/skills/page.tsx'), 'SkillsPage'),
    ),
    page(
      '/skills/$skillId',
      lazyRouteComponent(() => import('./screens/skills/skill.tsx'), 'SkillPage'),
    ),
    page(
      '/settings',
      lazyRouteComponent(() => import('./screens/settings/page.tsx'), 'SettingsPage'),
    ),
    page(
      '/device',
      lazyRouteComponent(() => import('./screens/device/page.tsx'), 'DevicePage'),
    ),
  ]),
]);

export const router = createRouter({ routeTree, basepath: '/app', defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
