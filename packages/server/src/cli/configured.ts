import { E, type Either } from '@account-import/core/adapter-kit'
import type { ConfigFault } from '../config/config-fault.js'
import { readConfig, type Purpose } from '../config/read-config.js'
import type { ServerConfig } from '../config/server-config.js'
import type { CliIo } from './cli-io.js'
import type { CommandError } from './command-error.js'
import { exitCode } from './exit-code.js'

/** The configuration from the environment, or the refusal that names all its faults. */
export const configured = (io: CliIo, purpose: Purpose): Either<CommandError, ServerConfig> =>
  E.mapLeft((faults: readonly ConfigFault[]): CommandError => ({
    exitCode: exitCode.refused,
    code: 'configuration_not_valid',
    detail: 'The configuration is not valid. Correct these environment variables:',
    errors: faults.map(({ variable, detail }) => ({
      code: 'invalid',
      detail: `${variable} ${detail}`,
      attr: '',
    })),
  }))(readConfig(io.environment, purpose))
