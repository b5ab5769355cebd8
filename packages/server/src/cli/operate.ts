import {
  E,
  type OperatorUseCases,
  type PortFailure,
  type TaskEither,
  type useCaseErrors,
} from '@account-import/core'
import { openService } from '../service/open-service.js'
import type { CliContext, JsonOption } from './cli-context.js'
import type { CommandFailure } from './command-failure.js'
import type { Report } from './command-result.js'
import { configured } from './configured.js'
import { portFailureOf } from './environment-failure.js'
import { operatorRefusal } from './operator-refusal.js'

type Refused = useCaseErrors.OperatorRefusal | PortFailure

const failureOf = (refused: Refused): CommandFailure =>
  refused._tag === 'PortFailure' ? portFailureOf(refused) : operatorRefusal(refused)

/**
 * The action of an operator command: runs one use case on the configured database and prints its outcome.
 * Rejects with `StartError` when the database cannot be opened.
 */
export const operate = async <A>(
  { io, finish }: CliContext,
  options: JsonOption,
  work: (operator: OperatorUseCases) => TaskEither<Refused, A>,
  report: (outcome: A) => Report,
): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const service = await openService(config.right)
  try {
    finish(E.bimap(failureOf, report)(await work(service.useCases.operator)()), options)
  } finally {
    await service.close()
  }
}
