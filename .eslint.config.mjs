import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const noFloat = { property: 'parseFloat', message: 'Money and quantities never pass through floating point.' };
const packed = { message: 'Write the members of this literal where it is spread.' };
const packedLists = [
  { selector: 'ObjectExpression > SpreadElement > ObjectExpression', ...packed },
  { selector: 'ArrayExpression > SpreadElement > ArrayExpression', ...packed },
  { selector: 'ArrayExpression > SpreadElement > TSAsExpression > ArrayExpression', ...packed },
];
const unnamedStatement = {
  selector:
    'CallExpression > MemberExpression[property.name=/^(query|command)$/][object.name=/^(warehouse|server|local|target|admin|shard)$/]',
  message: 'A statement of the service has a name: ask() a defined query, or run() a statement.',
};
/** Words of comments for which the field has clearer ones. */
const unclearWords = ['alike', 'anew', 'beside', 'nobody', 'set apart', 'stands', 'told', 'whoever'];
const readsEnvironment = 'The environment is read in src/config.ts alone.';

export default tseslint.config(
  { ignores: ['node_modules/**', 'dist/**', '.data/**', 'pixel/dist/**'] },
  js.configs.recommended,
  { rules: { 'max-lines': ['error', { max: 250, skipBlankLines: false }] } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'no-restricted-properties': ['error', noFloat],
      'no-restricted-globals': ['error', 'parseFloat'],
      'no-restricted-syntax': ['error', ...packedLists],
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    // These pass on whatever they are asked.
    ignores: ['src/composition/fenced-warehouse.ts', 'src/warehouse/tags.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...packedLists, unnamedStatement],
    },
  },
  {
    files: ['src/**', 'workers/**'],
    rules: { 'no-warning-comments': ['error', { terms: unclearWords, location: 'anywhere' }] },
  },
  {
    // One place reads the environment. The scripts of src/tooling run before anything is built: they pass it on whole.
    files: ['src/**', 'workers/**', 'pixel/**'],
    ignores: ['src/config.ts', 'src/tooling/*.mjs'],
    rules: {
      'no-restricted-properties': ['error', noFloat, { object: 'process', property: 'env', message: readsEnvironment }],
      'no-restricted-imports': [
        'error',
        ...['process', 'node:process'].map((name) => ({ name, importNames: ['env'], message: readsEnvironment })),
      ],
    },
  },
  {
    // Types of the schemas bring along those of Node, whose globals no browser has.
    files: ['src/console/web/**'],
    rules: { 'no-restricted-globals': ['error', 'parseFloat', 'Buffer', 'process', 'global', 'setImmediate'] },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', module: 'readonly', URL: 'readonly' } },
  },
  {
    // Globals of Shopify's sandbox.
    files: ['pixel/shopify-custom-pixel.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['analytics', 'browser', 'crypto', 'customerPrivacy', 'fetch', 'init', 'setTimeout'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      // A test looks into answers of any shape; the shapes themselves are checked against the OpenAPI document.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
