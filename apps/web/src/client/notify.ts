/** Shows a notification outside the page and returns a function that removes it. A click on it brings the page to the front. */
export function notify(title: string, { tag, onClick }: { tag: string; onClick: () => void }): () => void {
  if (globalThis.Notification?.permission !== 'granted') return () => {};
  try {
    const notice = new Notification(title, { tag });
    notice.onclick = () => {
      window.focus();
      onClick();
      notice.close();
    };
    return () => notice.close();
  } catch {
    // On phones only the service worker may show notifications; it also handles the click.
    return notifyByWorker(title, tag);
  }
}

function notifyByWorker(title: string, tag: string): () => void {
  const shown = navigator.serviceWorker?.getRegistration().then(async (registration) => {
    await registration?.showNotification(title, { tag });
    return registration;
  });
  shown?.catch(() => {});
  return () =>
    void shown
      ?.then(async (registration) => {
        for (const notice of (await registration?.getNotifications({ tag })) ?? []) notice.close();
      })
      .catch(() => {});
}
