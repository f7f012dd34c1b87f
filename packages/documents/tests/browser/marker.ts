/** What the page prints when the engine has done its work; what is printed later is about the attempts to make code. */
export const BEFORE_ATTEMPTS = 'Now the attempts to make code.';
