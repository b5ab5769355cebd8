export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The text of a variable, as that of a file: without white space around it. A blank one counts as not set, because compose files
 * and shells set blank variables.
 */
export const variableText = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined
