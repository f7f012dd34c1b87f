import { displayLines, displayText } from '@parley/documents';
import type { AttachmentPayload } from '@parley/protocol';
import { Download, FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import { toBlob, toBytes } from './attachment.ts';

const PICTURES = /^image\/(png|jpeg|gif|webp)$/;
const MAX_PREVIEW = 2_000;

/** Shows pictures of types without scripts, and text as text; other attachments can only be saved. */
export function AttachmentView({ attachment }: { readonly attachment: AttachmentPayload }) {
  const { t } = useTranslation('conversations');
  const name = displayText(attachment.name, 80);
  const url = useBlobUrl(attachment);
  return (
    <figure className="grid gap-2">
      {PICTURES.test(attachment.mime_type) && url !== undefined && (
        <img src={url} alt={name} className="max-h-80 rounded-lg object-contain" />
      )}
      {attachment.mime_type.startsWith('text/') && (
        <ScrollArea as="pre" className="max-h-60 overflow-auto rounded-lg bg-raised p-3 text-xs whitespace-pre-wrap">
          {displayLines(decode(attachment.data))}
        </ScrollArea>
      )}
      <figcaption className="flex items-center gap-2 text-sm">
        <FileText aria-hidden className="size-4 text-muted" />
        <bdi className="min-w-0 truncate">{name}</bdi>
        {url !== undefined && (
          <a href={url} download={name} className="inline-flex min-h-6 items-center gap-1 text-accent underline">
            <Download aria-hidden className="size-4" /> {t('download')}
          </a>
        )}
      </figcaption>
      {attachment.caption !== undefined && <p className="whitespace-pre-wrap">{displayLines(attachment.caption)}</p>}
    </figure>
  );
}

const decode = (data: string): string =>
  new TextDecoder().decode(toBytes(data.slice(0, MAX_PREVIEW * 4))).slice(0, MAX_PREVIEW);

/** Only pictures keep their type, so that they can be drawn; everything else is saved as bytes, whatever it claims to be. */
function useBlobUrl({ data, mime_type }: AttachmentPayload): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(toBlob(data, PICTURES.test(mime_type) ? mime_type : 'application/octet-stream'));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, mime_type]);
  return url;
}
