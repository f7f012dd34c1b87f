import type { Device } from '@parley/client';
import { useMemo } from 'react';
import { currentLocale } from '../i18n/index.ts';
import { useDevice } from './provider.tsx';

type Call = Device['api']['call'];

/** Calls the server's routes. Its messages come in the language of the page rather than the browser's. */
export function useApi(): Call {
  const { api } = useDevice();
  return useMemo(
    (): Call =>
      (route, input = {}) =>
        api.call(route, { ...input, headers: { 'accept-language': currentLocale(), ...input.headers } }),
    [api],
  );
}
