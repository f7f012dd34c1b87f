/** Categories by their short names, each with the long names that ECMA-262 also accepts. */
const CATEGORIES = `C Other, Cc Control cntrl, Cf Format, Cn Unassigned, Co Private_Use, Cs Surrogate,
  L Letter, LC Cased_Letter, Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter,
  Lu Uppercase_Letter, M Mark Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark, Mn Nonspacing_Mark,
  N Number, Nd Decimal_Number digit, Nl Letter_Number, No Other_Number, P Punctuation punct, Pc Connector_Punctuation,
  Pd Dash_Punctuation, Pe Close_Punctuation, Pf Final_Punctuation, Pi Initial_Punctuation, Po Other_Punctuation,
  Ps Open_Punctuation, S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol,
  Z Separator, Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator`;
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  CATEGORIES.split(',').flatMap((entry) => {
    const names = entry.trim().split(' ');
    return names.map((name) => [name, names[0]!] as const);
  }),
);
/** RE2 has these in one namespace with the scripts. */
const NOT_SCRIPTS: ReadonlySet<string> = new Set([...SHORT_NAMES.keys(), 'Any', 'Ascii', 'Assigned', 'Lc']);

/**
 * The RE2 name of a Unicode property as ECMA-262 writes it between the braces of `\p{…}`. A name that RE2 does not know
 * is a syntax error: script extensions, short names of scripts, most binary properties.
 */
export function translateProperty(text: string): string | undefined {
  const [name, value] = text.split('=', 2) as [string, string | undefined];
  if (value === undefined) return name === 'ASCII' ? 'Ascii' : (SHORT_NAMES.get(name) ?? name);
  if (name === 'General_Category' || name === 'gc') return SHORT_NAMES.get(value);
  return (name === 'Script' || name === 'sc') && !NOT_SCRIPTS.has(value) ? value : undefined;
}
