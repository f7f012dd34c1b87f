import { createErrorFactory, type ErrorTable } from '@parley/base';

/** `source` is the path of a keyring or the name of a variable; no sentence shows its content. */
export const ERRORS = {
  KEYRING_UNSAFE: {
    retry: false,
    text: {
      en: 'Others can read {source}, or it isn’t a regular file of yours. Run chmod 600 on it.',
      'zh-CN': '他人可以读取 {source}，或者它不是属于您的普通文件。请对它执行 chmod 600。',
    },
  },
  KEYRING_INVALID: {
    retry: false,
    text: {
      en: '{source} is not a map from origin, such as "https://api.example.com", to credentials.',
      'zh-CN': '{source} 的内容不是从来源（例如“https://api.example.com”）到凭证的映射。',
    },
  },
} as const satisfies ErrorTable;

export const keyringError = createErrorFactory(ERRORS);
