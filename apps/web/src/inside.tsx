import { lazy, Suspense } from 'react';
import { useDevice } from './client/provider.tsx';
import { keepPages } from './client/update.ts';
import { addTexts } from './i18n/index.ts';
import { LATER_TEXTS } from './later-texts.ts';
import { openPages } from './lazy-page.ts';
import { OtherDrafts } from './screens/sign-in/other-drafts.tsx';
import { TypedBefore } from './screens/sign-in/typed-before.tsx';
import { useStayWithTyped } from './screens/sign-in/typed-texts.tsx';
import { Frame } from './shell/frame.tsx';

const PromptDialog = lazy(async () => ({
  default: (await import('./screens/conversations/prompt-dialog.tsx')).PromptDialog,
}));

addTexts(LATER_TEXTS);
openPages();
// All pages are fetched to be there offline: for those who stay, and after what the open page needs.
if (import.meta.env.PROD) setTimeout(() => void keepPages(), 1_000);

/** Shows the frame. Prompts of agents appear above every page. */
export function Inside() {
  useStayWithTyped(useDevice().drafts);
  return (
    <>
      <Frame
        bars={
          <>
            <TypedBefore />
            <OtherDrafts />
          </>
        }
      />
      <Suspense>
        <PromptDialog />
      </Suspense>
    </>
  );
}
