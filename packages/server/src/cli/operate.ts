import type { AuditUseCases, OperatorRefusal, OperatorUseCases, PortFailure } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../config/server-config.js'
import { typed } from '../program-name.js'
import type { ServiceOptions } from '../service/open-service.js'
import type { CliContext, JsonOption } from './cli-io.js'
import { type CommandError, type CommandOutput, exitCode } from './command-result.js'
import { configured } from './configured.js'
import { portFailureOf } from './environment-failure.js'

/** The commands that show or make each kind of thing that a command may name. */
const commands: Readonly<Record<string, Readonly<{ list: string; create?: string }>>> = {
  organisation: { list: 'organisation list', create: 'organisation create' },
  'import supplier': { list: 'supplier list', create: 'supplier create' },
  'operations team': { list: 'team list', create: 'team create' },
  'e-mail': { list: 'outbox list' },
  'API key': { list: 'api-key list', create: 'api-key create' },
}

const listHint = (subject: string): string => {
  const command = commands[subject]
  return command === undefined ? '' : ` To see what there is: ${typed(command.list)}`
}

const refused = (code: string, detail: string): CommandError => ({
  exitCode: exitCode.refused,
  code,
  detail,
})

const rootText = (root: string): string => (root === '' ? '(the bucket itself)' : root)

/** The operator's refusals in words that say what to do. */
export const operatorRefusal = (refusal: OperatorRefusal): CommandError => {
  switch (refusal._tag) {
    case 'AlreadyExists':
      return refused(
        'already_exists',
        `The ${refusal.subject} ${refusal.name} exists already; nothing was changed.${listHint(refusal.subject)}`,
      )
    case 'DoesNotExist':
      return refused(
        'does_not_exist',
        `There is no ${refusal.subject} ${refusal.name}.${listHint(refusal.subject)}`,
      )
    case 'InputNotValid':
      return {
        ...refused('input_not_valid', 'The input is not valid; nothing was changed:'),
        errors: refusal.errors,
      }
    case 'DocumentRootTaken':
      return refused(
        'document_root_taken',
        `The document root ${rootText(refusal.documentRoot)} meets ${rootText(refusal.otherRoot)}, the root of import` +
          ` supplier ${refusal.importSupplier}, which is of another organisation; nothing was changed. Give one of them another` +
          ' root by --document-root: neither may be the same as the other or lie in it.' +
          listHint('import supplier'),
      )
    case 'ApiKeyHasEnded':
      return refused(
        'api_key_has_ended',
        `The API key ${refusal.id} is revoked or expired; nothing was changed. Make a new one with: ${typed('api-key create')}`,
      )
    case 'AccountIsImported':
      return refused(
        'account_is_imported',
        'The account was imported already, so it cannot be skipped; nothing was changed.',
      )
    case 'EmailIsSent':
      return refused('email_is_sent', 'The e-mail was sent already; nothing was changed.')
    case 'EmailIsBeingSent':
      return refused(
        'email_is_being_sent',
        'The e-mail is being sent right now; nothing was changed. Look again in a minute.',
      )
    case 'AccountImportInProgress':
      return refused(
        'account_import_in_progress',
        'The account is being created right now; nothing was changed. Try again in a minute.',
      )
  }
}

/** The Left of a use case of the operator, or of a port under it. */
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
