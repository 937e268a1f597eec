const RUN = 'npm run --silent profit --';

/** Text below the help of a command: how it is called from the project's folder. */
export function examples(...calls: string[]): string {
  return `\nExamples:\n${calls.map((call) => `  ${RUN} ${call}`).join('\n')}`;
}
