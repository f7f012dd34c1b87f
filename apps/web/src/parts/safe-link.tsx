import { displayText } from '@parley/documents';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { hostOf, namesAnother } from './find-links.ts';

interface SafeLinkProps {
  /** In ASCII, and one that may be followed: see `readAddress`. */
  readonly href: string;
  /** What the link says, to compare it with where it leads. */
  readonly text: string;
  readonly children: ReactNode;
}

const ADDRESS_SHOWN = 2_000;
/** Of the way to the mail program nothing is left behind, and nothing leads back to this page. */
const REL = 'noopener noreferrer nofollow';

/** A link that someone wrote in a message. It says where it leads, and is confirmed before it is followed (WC-32). */
export function SafeLink({ href, text, children }: SafeLinkProps) {
  const { t } = useTranslation('parts');
  const [isAsking, setAsking] = useState(false);
  const host = hostOf(href);
  const ask = (event: MouseEvent) => {
    // The right button opens the browser's own menu, which shows the address.
    if (event.button > 1) return;
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel={REL}
        title={href.slice(0, ADDRESS_SHOWN)}
        onClick={ask}
        onAuxClick={ask}
        className="text-accent underline [overflow-wrap:anywhere]"
      >
        {children}
      </a>
      {namesAnother(text, href) && (
        <bdi className="text-sm text-muted"> {t('link.leadsTo', { host: displayText(host, 80) })}</bdi>
      )}
      {isAsking && <LinkDialog href={href} host={host} onClose={() => setAsking(false)} />}
    </>
  );
}

interface LinkDialogProps {
  readonly href: string;
  readonly host: string;
  readonly onClose: () => void;
}

function LinkDialog({ href, host, onClose }: LinkDialogProps) {
  const { t } = useTranslation('parts');
  const isMail = href.startsWith('mailto:');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(isMail ? 'link.mail' : 'link.title')}
      lead={t(isMail ? 'link.mailLead' : 'link.lead')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {/* A link and no script: a browser never takes it for a pop-up. */}
          <a
            href={href}
            target="_blank"
            rel={REL}
            onClick={onClose}
            className="inline-flex min-h-10 items-center justify-center rounded-lg bg-accent px-4 font-medium text-on-accent hover:brightness-110 pointer-coarse:min-h-11"
          >
            {t(isMail ? 'link.mailOpen' : 'link.open')}
          </a>
        </>
      }
    >
      <p className="text-lg font-semibold [overflow-wrap:anywhere]" dir="ltr">
        {displayText(host, 300)}
      </p>
      <p className="max-h-40 overflow-y-auto rounded-lg bg-raised px-3 py-2 font-mono text-sm break-all" dir="ltr">
        {displayText(href, ADDRESS_SHOWN)}
      </p>
    </Dialog>
  );
}
