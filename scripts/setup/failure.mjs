/** Set-up could not be finished; `exitCode` is 3 for the machine's fault, 1 for the sources'. */
export class SetupFailure extends Error {
  constructor(message, exitCode = 3) {
    super(message);
    this.exitCode = exitCode;
  }
}
