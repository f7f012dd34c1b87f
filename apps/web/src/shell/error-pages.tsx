import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/card.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Page>
      <Empty title={t('notFound')}>
        <Link to="/" className="text-accent underline">
          {t('home')}
        </Link>
      </Empty>
    </Page>
  );
}

export function Broken() {
  const { t } = useTranslation('shell');
  return (
    <Page>
      <Empty title={t('broken')}>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
      </Empty>
    </Page>
  );
}
