/** The exit codes of all commands (HS-7). Ctrl-C has the code that shells use for it. */
export const EXIT = { fine: 0, bad: 1, usage: 2, environment: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
