import type { AuditUseCases, OperatorUseCases, PortFailure, OperatorRefusal } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../config/server-config.js'
import type { ServiceOptions } from '../service/open-service.js'
import type { CliContext, JsonOption } from './cli-context.js'
import type { CommandError } from './command-error.js'
import type { CommandOutput } from './command-result.js'
import { configured } from './configured.js'
import { portFailureOf } from './environment-failure.js'
import { operatorRefusal } from './operator-refusal.js'

/** What a use case of the operator, or a port under it, answers instead of an outcome. */
export type Refused = OperatorRefusal | PortFailure

/** Why a use case of the operator did not do what it was asked for. */
export const failureOf = (refused: Refused): CommandError =>
  refused._tag === 'PortFailure' ? portFailureOf(refused) : operatorRefusal(refused)

type Work<A> = (operator: OperatorUseCases, audit: AuditUseCases) => TaskEither<Refused, A>

const operateOn = async <A>(
  opening: ServiceOptions,
  { io, finish, operator }: CliContext,
  options: JsonOption,
  work: Work<A>,
  output: (outcome: A, config: ServerConfig) => CommandOutput,
): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const { openService } = await import('../service/open-service.js')
  const service = await openService(config.right, { ...opening, operator: { who: `operator ${operator()}` } })
  try {
    const outcome = await work(service.useCases.operator, service.useCases.audit)()
    finish(E.bimap(failureOf, (done: A) => output(done, config.right))(outcome), options)
  } finally {
    await service.close()
  }
}

type Operate = <A>(
  context: CliContext,
  options: JsonOption,
  work: Work<A>,
  output: (outcome: A, config: ServerConfig) => CommandOutput,
) => Promise<void>

/**
 * The action of an operator command: runs one use case on the data that is there and prints its outcome. Rejects with
 * `StartError` when the database cannot be opened, or when the embedded one has not been begun yet.
 */
export const operate: Operate = (...of) => operateOn({ onlyExisting: true }, ...of)

/** The same of a command that is among the first that are typed: it begins an embedded database. */
export const operateOrBegin: Operate = (...of) => operateOn({}, ...of)
