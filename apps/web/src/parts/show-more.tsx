import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface ShowMoreProps {
  /** The result of `usePages`. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** It is shown below a list as long as there are more pages. */
export function ShowMore({ query }: ShowMoreProps) {
  const { t } = useTranslation('parts');
  if (!query.hasNextPage) return null;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('showMore')}
    </Button>
  );
}
