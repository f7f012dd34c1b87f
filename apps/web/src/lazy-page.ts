import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

let areOpen = false;

/** Someone is signed in: from now on pages may be loaded before they are shown. */
export function openPages(): void {
  areOpen = true;
}

/** A page that is loaded when it is needed, and never before someone is signed in, since until then it is not shown. */
export function lazyPage<Name extends string>(
  load: () => Promise<{ readonly [Key in Name]: RouteComponent }>,
  name: Name,
): RouteComponent {
  const page = lazyRouteComponent(load, name);
  const { preload } = page;
  page.preload = async () => {
    if (areOpen) await preload?.();
  };
  return page;
}
