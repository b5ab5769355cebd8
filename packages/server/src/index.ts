import 'reflect-metadata'

export {
  type CliIo,
  type ConfigFault,
  type Environment,
  exitCode,
  type ExitCode,
} from '@account-import/cli/kit'
export { runServerCli as runCli } from './cli/program.js'
export { type Purpose, readConfig, type ServerConfig } from './config/read-config.js'
export {
  createContainer,
  type Observers,
  type OnDocumentFailure,
  runtimeModule,
} from './container/create-container.js'
export { longBodiesId, portIds, useCasesId } from './container/port-ids.js'
export { type Database, databaseId, keyRingId, sqlModule, type SqlObservers } from './container/sql-module.js'
export { type HealthChange, type OnHealthChange } from './health/service-health.js'
export { type LongBodies } from './long-bodies/long-bodies.js'
export { openService, type Service, type ServiceOptions } from './service/open-service.js'
export { StartError, type StartFailureCode } from './start-error.js'
export { type RunningServer, type StartOptions, startServer } from './serve-api.js'
export { storedSigningKey } from './service/keys.js'
