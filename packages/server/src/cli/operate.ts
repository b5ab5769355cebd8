import { DocumentStorageError } from '@account-import/adapter-object-storage'
import {
  type CliContext,
  type CommandError,
  type CommandOutput,
  type Environment,
  exitCode,
  notConfigured,
  printPages,
  refused,
  type Shown,
  typed,
} from '@account-import/cli/kit'
import type { OperatorRefusal, PortFailure, UseCases } from '@account-import/core'
import { mapped } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { Command } from 'commander'
import { type Purpose, readConfig, type ServerConfig } from '../config/read-config.js'
import { databaseError } from '../start-error.js'
import { rootText } from '../service/document-roots.js'
import type { Service } from '../service/open-service.js'
import { startFailure } from './start-failure.js'

/** The configuration from the environment, or the refusal that names all its faults. */
export const configured = (environment: Environment, purpose: Purpose): Either<CommandError, ServerConfig> =>
  E.mapLeft(notConfigured)(readConfig(environment, purpose))

/** The command that lists each kind of subject. */
const lists: Readonly<Record<string, string>> = {
  organisation: 'organisation list',
  'import supplier': 'supplier list',
  'operations team': 'team list',
  'e-mail': 'outbox list',
  'API key': 'api-key list',
  webhook: 'webhook list',
}

const listHint = (subject: string): string => {
  const command = lists[subject]
  return command === undefined ? '' : ` To list them: ${typed(command)}`
}

/** The error of a refused operator use case, with its remedy. */
const operatorRefusal = (refusal: OperatorRefusal): CommandError => {
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
      return refused('input_not_valid', 'The input is not valid; nothing was changed:', refusal.errors)
    case 'DocumentRootTaken':
      return refused(
        'document_root_taken',
        `The document root ${rootText(refusal.documentRoot)} overlaps with ${rootText(refusal.otherRoot)}, the root of import` +
          ` supplier ${refusal.importSupplier}, which is of another organisation; nothing was changed. Give one of them another` +
          ' root by --document-root: neither may be the same as the other or inside of it.' +
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
    case 'RefusedByPlatform':
      return refused(
        'refused_by_platform',
        'The platform that embeds the service does not allow this; nothing was changed.',
      )
    case 'AccountImportInProgress':
      return refused(
        'account_import_in_progress',
        'The account is being created right now; nothing was changed. Try again in a minute.',
      )
  }
}

/** The error of a failed port: the document storage or a store. */
const portFailureOf = ({ port, kind, cause }: PortFailure): CommandError => {
  if (port !== 'documents') return startFailure(databaseError(cause))
  const code = cause instanceof DocumentStorageError ? cause.code : 'no code'
  const [name, detail] =
    kind === 'unavailable'
      ? [
          'document_storage_unavailable',
          `The document storage cannot be reached (${code}). Check DOCUMENT_STORAGE_URL, and that the storage is running.`,
        ]
      : [
          'document_storage_refused',
          `The document storage refuses to answer (${code}). Check the key, its rights and the bucket in DOCUMENT_STORAGE_URL.`,
        ]
  return { exitCode: exitCode.environment, code: name, detail }
}

/** The Left of a use case of the operator, or of a port under it. */
type Refused = OperatorRefusal | PortFailure

/** The error of a failed use case of the operator. */
export const failureOf = (failure: Refused): CommandError =>
  failure._tag === 'PortFailure' ? portFailureOf(failure) : operatorRefusal(failure)

/** Calls `work` with the configuration, or prints the faults of the configuration. */
export const withConfig = async (
  { io, finish }: CliContext,
  work: (config: ServerConfig) => Promise<void>,
): Promise<void> => {
  const config = configured(io.environment, 'operate')
  await (config._tag === 'Left' ? finish(config) : work(config.right))
}

/** The actor of the audit events of a command. */
const actorOf = ({ operator }: CliContext) => ({ who: `operator ${operator()}` })

/**
 * Calls `work` with the configured service over existing data. Rejects with `StartError` when the database cannot be opened, or
 * when the embedded database does not exist, unless `'begins'` lets the service create it.
 */
export const withService = (
  context: CliContext,
  work: (service: Service, config: ServerConfig) => Promise<void>,
  begins?: 'begins',
): Promise<void> =>
  withConfig(context, async (config) => {
    const { openService } = await import('../service/open-service.js')
    const service = await openService(config, {
      ...(begins === undefined && { onlyExisting: true }),
      operator: actorOf(context),
    })
    try {
      await work(service, config)
    } finally {
      await service.close()
    }
  })

/** The use cases that commands of the operator call. */
type Operated = Pick<UseCases, 'operator' | 'audit'>

/**
 * The action of an operator command: runs one use case and prints its outcome. `output` gets the configuration too. Rejects as
 * `withService` does.
 */
export const operate = <A>(
  context: CliContext,
  work: (useCases: Operated) => Promise<Either<Refused, A>>,
  output: (outcome: A, config: ServerConfig) => CommandOutput,
  begins?: 'begins',
): Promise<void> =>
  withService(
    context,
    async ({ useCases }, config) => {
      const outcome = await work(useCases)
      context.finish(E.bimap(failureOf, (done: A) => output(done, config))(outcome))
    },
    begins,
  )

/** A command of the operator: its arguments and options, the use case that is called with them, and its output. */
const operatorCommand =
  (context: CliContext) =>
  <Args extends unknown[], A>(
    leaf: Command,
    work: (useCases: Operated, ...args: Args) => Promise<Either<Refused, A>>,
    output: (outcome: A, ...args: Args) => CommandOutput,
    begins?: 'begins',
  ): Command =>
    leaf.action((...args: Args) =>
      operate(
        context,
        (useCases) => work(useCases, ...args),
        (outcome) => output(outcome, ...args),
        begins,
      ),
    )

/** The commands of a file; each call builds them again. */
export const operatorCommands =
  <Made>(build: (command: ReturnType<typeof operatorCommand>, context: CliContext) => Made) =>
  (context: CliContext): Made =>
    build(operatorCommand(context), context)

/**
 * The action of an operator command that prints a long list in constant memory: with `--json` one array. After a failure of the
 * store the array is not closed, and the exit code is that of the failure. Rejects as `withService` does.
 */
export const streamPages = <Item>(
  context: CliContext,
  list: (useCases: Operated) => Promise<Either<Refused, AsyncIterable<Either<PortFailure, readonly Item[]>>>>,
  shown: Shown<Item>,
): Promise<void> =>
  withService(context, async ({ useCases }) => {
    const pages = await list(useCases)
    if (E.isLeft(pages)) return context.finish(E.left(failureOf(pages.left)))
    await printPages(context, mapped(pages.right, E.mapLeft(failureOf)), shown)
  })
