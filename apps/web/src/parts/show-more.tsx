import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface ShowMoreProps {
  /** From `usePages`. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Under a list, as long as there is more of it. */
export function ShowMore({ query }: ShowMoreProps) {
  const { t } = useTranslation('parts');
  if (!query.hasNextPage) return null;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('showMore')}
    </Button>
  );
}
