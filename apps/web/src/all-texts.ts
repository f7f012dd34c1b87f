import { FIRST_TEXTS } from './first-texts.ts';
import { LATER_TEXTS } from './later-texts.ts';

/** Each part of the app has one entry; its name is the namespace for `useTranslation`. */
export const ALL_TEXTS = { ...FIRST_TEXTS, ...LATER_TEXTS } as const;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: { [Name in keyof typeof ALL_TEXTS]: (typeof ALL_TEXTS)[Name]['en'] };
  }
}
