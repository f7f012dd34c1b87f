import type { ContactsSnapshot } from '@parley/client';
import { useEffect } from 'react';
import { useDevice, useReadable } from '../../client/provider.tsx';

/** What is known of contacts and requests; asks the server anew, because it may be old. */
export function useFreshContacts(): ContactsSnapshot {
  const { contacts } = useDevice();
  useEffect(() => {
    // The connection bar says that the server cannot be reached.
    void contacts.sync().catch(() => {});
  }, [contacts]);
  return useReadable(contacts);
}
