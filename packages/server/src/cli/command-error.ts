import type { ExitCode } from './exit-code.js'

/** Why a command did not do what it was asked for; `code` is stable, `detail` says what to do. */
export type CommandError = Readonly<{
  exitCode: Exclude<ExitCode, 0>
  code: string
  detail: string
  /** One entry for each thing that is wrong, where there are several. */
  errors?: readonly Readonly<{ code: string; detail: string; attr: string }>[]
}>
