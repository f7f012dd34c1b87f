import { SkillError, type SkillErrorCode, type SkillErrorOptions } from '../../skill-error.ts';

export interface HttpErrorOptions extends SkillErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly advice?: RetrySuggestion;
}

/** When a caller may come back (SI-4). */
export interface RetrySuggestion {
  readonly suggested_delay_ms: number;
  readonly max_attempts: number;
}

/** A refused request, with its status, headers and retry advice. */
export class HttpError extends SkillError {
  readonly headers: Readonly<Record<string, string>>;
  readonly advice: RetrySuggestion | undefined;

  constructor(code: SkillErrorCode, { headers = {}, advice, ...options }: HttpErrorOptions = {}) {
    super(code, options);
    this.name = 'HttpError';
    this.headers = headers;
    this.advice = advice;
  }
}
