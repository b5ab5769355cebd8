/** What the process answers: decisions, section 6. */
export const exitCode = {
  done: 0,
  /** The data that was worked on has failures. */
  dataHasFailures: 1,
  /** Wrong usage or configuration, or the operation was refused. */
  refused: 2,
  /** Something around the program does not work: database, network, file system. */
  environment: 3,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
