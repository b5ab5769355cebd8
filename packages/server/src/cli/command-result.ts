import type { Either } from '@account-import/core'
import type { CommandFailure } from './command-failure.js'

/** What a command has to say: `json` for programs, `text` for people (without a line end). */
export type Report = Readonly<{ json: unknown; text: string }>

export type CommandResult = Either<CommandFailure, Report>
