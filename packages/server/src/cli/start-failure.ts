import { type CommandError, exitCode } from '@account-import/cli/kit'
import type { StartError } from '../start-error.js'

/** The error of a service that cannot be opened: `refused` for a wrong configuration, else `environment`. */
export const startFailure = ({ code, message: detail }: StartError): CommandError => ({
  exitCode: code === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code,
  detail,
})
