import type { ReactNode } from 'react';
import { explain } from '../client/explain.ts';
import { Confirm } from './confirm.tsx';
import { Notice } from './notice.tsx';
import { useAction } from './use-action.ts';

interface ConfirmActionProps {
  readonly title: string;
  readonly lead: string;
  readonly confirm: string;
  readonly danger?: boolean;
  /** Grants something of level high. */
  readonly alarm?: boolean;
  readonly onClose: () => void;
  readonly work: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Asks for confirmation and then does the work. If the work fails, the dialog stays open and shows the error. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { title, lead, confirm, danger = false, alarm = false, onClose, work, children } = props;
  const action = useAction(async () => {
    await work();
    onClose();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={title}
      lead={lead}
      action={confirm}
      busy={action.busy}
      variant={danger ? 'danger' : alarm ? 'alarm' : 'primary'}
      onConfirm={() => action.run()}
    >
      {children}
      {action.error !== undefined && <Notice tone="error">{explain(action.error)}</Notice>}
    </Confirm>
  );
}
