import { DefaultReporter } from 'vitest/node';

/** Vitest's own report, with the number of files done, and of all, in front of each file. */
export default class ProgressReporter extends DefaultReporter {
  #done = 0;
  #total = 0;

  onTestRunStart(specifications) {
    this.#total = specifications.length;
    super.onTestRunStart(specifications);
  }

  getModuleLog(testModule, counts) {
    this.#done++;
    const total = String(this.#total);
    return ` ${String(this.#done).padStart(total.length)}/${total}${super.getModuleLog(testModule, counts)}`;
  }
}
