import { useLocation, useNavigate } from '@tanstack/react-router';

/** Keeps the chosen tab in the # of the address, so that it can be linked to and survives a reload. */
export function useHashTab<const Id extends string>(ids: readonly [Id, ...Id[]]): [Id, (id: string) => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const chosen = ids.find((id) => id === hash) ?? ids[0];
  return [chosen, (id) => void navigate({ to: '.', hash: id, replace: true, resetScroll: false })];
}
