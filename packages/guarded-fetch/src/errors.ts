import { createErrorFactory, type ErrorTable, isParleyError, type ParleyError } from '@parley/base';

/** No sentence names an address: the caller must not learn what a name resolves to in our network. */
export const ERRORS = {
  FETCH_BLOCKED: {
    retry: false,
    text: {
      en: 'Requests to this network address aren’t allowed.',
      'zh-CN': '不允许向该网络地址发送请求。',
    },
  },
  FETCH_REDIRECT_REFUSED: {
    retry: false,
    text: {
      en: 'The address redirects too often, or to a place that isn’t allowed.',
      'zh-CN': '该地址重定向次数过多，或重定向到不允许访问的位置。',
    },
  },
  FETCH_TIMEOUT: {
    retry: true,
    text: { en: 'The address took too long to answer. Try again later.', 'zh-CN': '该地址响应超时，请稍后重试。' },
  },
  FETCH_UNREACHABLE: {
    retry: true,
    text: { en: 'Can’t reach the address. Try again later.', 'zh-CN': '无法连接该地址，请稍后重试。' },
  },
} as const satisfies ErrorTable;

export type FetchErrorCode = keyof typeof ERRORS;

export const fetchError = createErrorFactory(ERRORS);

const CODES = Object.keys(ERRORS) as FetchErrorCode[];

export const isFetchError = (error: unknown): error is ParleyError<FetchErrorCode> => isParleyError(error, ...CODES);
