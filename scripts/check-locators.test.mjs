import { describe, expect, it } from 'vitest';
import { checkLocators } from './check-locators.mjs';

const check = (source) => checkLocators([['a.test.ts', source]]);

describe('HS-18 locators in tests mean the whole text', () => {
  it.each([
    "page.getByText('used')",
    'page.getByText(words.used)',
    'page.getByText(fill(words.used, { exact: true }) , { exact: false })',
    'page.getByText(\n  words.used,\n)',
    "page.getByLabel('Name')",
    "page.getByRole('button', { name: 'Add' })",
    "page.getByRole('button', { name })",
    "page.getByRole('tab', { name: words.tab, selected: true })",
  ])('finds %s', (source) => {
    expect(check(source)).toEqual([expect.stringMatching(/^a\.test\.ts:1: getBy\w+ takes part of a text/)]);
  });

  it.each([
    "page.getByText('used', { exact: true })",
    'page.getByText(/^used/)',
    "page.getByRole('button')",
    "page.getByRole('button', { name: /Add/ })",
    "page.getByRole('button', { name: new RegExp(name) })",
    "page.getByRole('button', { name, exact: true })",
    "page.getByRole('row', { name: fill(a, { name: 'x' }), exact: true })",
    "page.getByTestId('secret')",
    "// page.getByText('used')",
  ])('lets %s be', (source) => {
    expect(check(source)).toEqual([]);
  });

  it('names the line of each', () => {
    expect(check("a.getByText('x');\nb;\nc.getByLabel('y');")).toEqual([
      expect.stringContaining('a.test.ts:1: getByText'),
      expect.stringContaining('a.test.ts:3: getByLabel'),
    ]);
  });
});
