import { Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface PublishButtonProps {
  readonly label: string;
  /** The question before publishing; undefined if there is nothing to publish. */
  readonly question: { readonly title: string; readonly lead: string; readonly more?: ReactNode } | undefined;
  readonly work: () => Promise<void>;
}

/** Publishes something that can never be changed afterwards. */
export function PublishButton({ label, question, work }: PublishButtonProps) {
  const [asking, ask] = useState(false);
  return (
    <div>
      <Button
        variant="primary"
        icon={<Upload aria-hidden className="size-4" />}
        disabled={question === undefined}
        onClick={() => ask(true)}
      >
        {label}
      </Button>
      {asking && question !== undefined && (
        <ConfirmAction
          title={question.title}
          lead={question.lead}
          confirm={label}
          onClose={() => ask(false)}
          work={work}
        >
          {question.more}
        </ConfirmAction>
      )}
    </div>
  );
}
