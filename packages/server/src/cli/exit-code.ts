/** What the process answers; docs/reference/command-line.md says it to operators. */
export const exitCode = {
  done: 0,
  /** The data that was worked on has failures. */
  dataHasFailures: 1,
  /** Wrong usage or configuration, or the operation was refused. */
  refused: 2,
  /** Something around the program does not work: database, network, file system. */
  environment: 3,
  /** Stopped by SIGINT before the work was done, as a shell shows it. */
  interrupted: 130,
  /** The same by SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
