import { createErrorFactory, type ErrorTable } from '@parley/base';

/** `source` is the path of a keyring or the name of a variable; no sentence shows its content. */
export const ERRORS = {
  KEYRING_UNSAFE: {
    retry: false,
    text: {
      en: '{source} may be read by others or is no regular file of yours. Run chmod 600 on it.',
      'zh-CN': '{source} 可能会被他人读取，或者不是属于你的普通文件。请对它执行 chmod 600。',
    },
  },
  KEYRING_INVALID: {
    retry: false,
    text: {
      en: '{source} is not a map from origin, such as "https://api.example.com", to credentials.',
      'zh-CN': '{source} 的内容不是从来源（例如“https://api.example.com”）到凭据的映射。',
    },
  },
} as const satisfies ErrorTable;

export const keyringError = createErrorFactory(ERRORS);
