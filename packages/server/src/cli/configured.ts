import { E, type Either } from '@account-import/core/adapter-kit'
import { type OfflineConfig, type Purpose, readConfig, readOfflineConfig } from '../config/read-config.js'
import type { ServerConfig } from '../config/server-config.js'
import type { ConfigFault } from '../config/variable.js'
import type { CliIo } from './cli-io.js'
import { type CommandError, exitCode } from './command-result.js'

const refused = (faults: readonly ConfigFault[]): CommandError => ({
  exitCode: exitCode.refused,
  code: 'configuration_not_valid',
  detail: 'The configuration is not valid. Correct these environment variables:',
  errors: faults.map(({ variable, detail }) => ({
    code: 'invalid',
    detail: `${variable} ${detail}`,
    attr: '',
  })),
})

/** The configuration from the environment, or the refusal that names all its faults. */
export const configured = (io: CliIo, purpose: Purpose): Either<CommandError, ServerConfig> =>
  E.mapLeft(refused)(readConfig(io.environment, purpose))

/** Configuration without a service: faults of its database or its vendors do not matter here. */
export const offlineConfigured = (io: CliIo): Either<CommandError, OfflineConfig> =>
  E.mapLeft(refused)(readOfflineConfig(io.environment))
