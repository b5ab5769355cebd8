import type { StartError } from '../start-error.js'
import type { CommandError } from './command-error.js'
import { exitCode } from './exit-code.js'

/** What could not be opened; a wrong configuration is the user's to correct, all else the environment's. */
export const startFailure = (error: StartError): CommandError => ({
  exitCode: error.code === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code: error.code,
  detail: error.message,
})
