import { useDevice, useReadable } from './provider.tsx';

/** Whether there are two signed versions of this account's device list (EE-17): nothing works until that is settled. */
export function useFork() {
  const { accountId, devices, problems } = useDevice();
  const noted = useReadable(problems);
  const forks = noted.filter(
    ({ problem, over }) =>
      over === undefined &&
      problem.kind === 'device_list' &&
      problem.problem === 'forked' &&
      problem.accountId === accountId,
  );
  return {
    isForked: forks.length > 0,
    async settle(secret: string) {
      await devices.settle(secret);
      for (const { id } of forks) problems.dismiss(id);
    },
  };
}
