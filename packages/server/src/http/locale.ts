import type { Locale } from '@parley/documents';

/** The language of the sentences in a reply. */
export function localeOf(headers: { readonly 'accept-language'?: string | undefined }): Locale {
  return headers['accept-language']?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}
