import * as Type from '../schema/type.ts';

/** The account that published something, from the server's record and not from the document. */
export const Publisher = Type.Object({
  user_id: Type.Optional(Type.String({ description: 'For the account itself only (AC-7).' })),
  display_name: Type.String({ description: 'Chosen by the account: another may have the same.' }),
  account_mark: Type.String({
    pattern: '^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$',
    description:
      'The same for all that the account publishes, another for other accounts. It does not lead to the id (AC-7).',
  }),
});
