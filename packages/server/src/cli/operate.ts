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

/** The text of each refusal of an operator's use case, with its remedy. */
const texts: Readonly<{
  [Tag in OperatorRefusal['_tag']]: (refusal: Extract<OperatorRefusal, { _tag: Tag }>) => string
}> = {
  AlreadyExists: ({ subject, name }) =>
    `The ${subject} ${name} exists already; nothing was changed.${listHint(subject)}`,
  DoesNotExist: ({ subject, name }) => `There is no ${subject} ${name}.${listHint(subject)}`,
  InputNotValid: () => 'The input is not valid; nothing was changed:',
  DocumentRootTaken: ({ documentRoot, otherRoot, importSupplier }) =>
    `The document root ${rootText(documentRoot)} overlaps with ${rootText(otherRoot)}, the root of import` +
    ` supplier ${importSupplier}, which is of another organisation; nothing was changed. Give one of them another` +
    ' root by --document-root: neither may be the same as the other or inside of it.' +
    listHint('import supplier'),
  ApiKeyHasEnded: ({ id }) =>
    `The API key ${id} is revoked or expired; nothing was changed. Make a new one with: ${typed('api-key create')}`,
  AccountIsImported: () => 'The account was imported already, so it cannot be skipped; nothing was changed.',
  EmailIsSent: () => 'The e-mail was sent already; nothing was changed.',
  EmailIsBeingSent: () => 'The e-mail is being sent right now; nothing was changed. Look again in a minute.',
  RefusedByPlatform: () => 'The platform that embeds the service does not allow this; nothing was changed.',
  AccountImportInProgress: () =>
    'The account is being created right now; nothing was changed. Try again in a minute.',
}

/** The error of a refused operator use case. Its code is the tag of the refusal: `AlreadyExists` becomes `already_exists`. */
const operatorRefusal = (refusal: OperatorRefusal): CommandError => {
  const { _tag: tag } = refusal
  const code = tag.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  // The tag selects the text, so it accepts this refusal; the compiler cannot infer that for a union.
  const text: (refusal: never) => string = texts[tag]
  return refused(code, text(refusal as never), 'errors' in refusal ? refusal.errors : [])
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
export const failureOf = (failure: Refused | CommandError): CommandError => {
  if (!('_tag' in failure)) return failure
  return failure._tag === 'PortFailure' ? portFailureOf(failure) : operatorRefusal(failure)
}

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

/** The input of a command beside its arguments: the use cases of the operator, and the configuration. */
type Operated = Pick<UseCases, 'operator' | 'audit'> & Readonly<{ config: ServerConfig }>

type Outcome<A> = Promise<Either<Refused | CommandError, A>>

/** The commands of one context. Their actions reject as `withService` does. */
const operatorCommand = (context: CliContext) => {
  /** A command over the service that prints its outcome itself. */
  const printing = <Args extends unknown[]>(
    leaf: Command,
    work: (operated: Operated, ...args: Args) => Promise<void>,
    begins?: 'begins',
  ): Command =>
    leaf.action((...args: Args) =>
      withService(context, ({ useCases }, config) => work({ ...useCases, config }, ...args), begins),
    )
  return {
    printing,
    /** A command: its arguments and options, the use case that is called with them, and the form of the outcome. */
    command: <Args extends unknown[], A>(
      leaf: Command,
      work: (operated: Operated, ...args: Args) => Outcome<A>,
      form: (outcome: A, ...args: Args) => CommandOutput,
      begins?: 'begins',
    ): Command =>
      printing<Args>(
        leaf,
        async (operated, ...args) => {
          const outcome = await work(operated, ...args)
          context.finish(E.bimap(failureOf, (done: A) => form(done, ...args))(outcome))
        },
        begins,
      ),
    /**
     * A command that prints a long list in constant memory: with `--json` one array. After a failure of the store the array is not
     * closed, and the exit code is that of the failure.
     */
    list: <Args extends unknown[], Item>(
      leaf: Command,
      pages: (
        operated: Operated,
        ...args: Args
      ) => Outcome<AsyncIterable<Either<PortFailure, readonly Item[]>>>,
      form: (...args: NoInfer<Args>) => Shown<Item>,
    ): Command =>
      printing<Args>(leaf, async (operated, ...args) => {
        const found = await pages(operated, ...args)
        if (E.isLeft(found)) return context.finish(E.left(failureOf(found.left)))
        await printPages(context, mapped(found.right, E.mapLeft(failureOf)), form(...args))
      }),
  }
}

/** The commands of a file; each call builds them again. */
export const operatorCommands =
  <Made>(build: (commands: ReturnType<typeof operatorCommand>, context: CliContext) => Made) =>
  (context: CliContext): Made =>
    build(operatorCommand(context), context)

/** Refuses wrong combinations of arguments before anything is opened. `faultOf`: the fault, by the options and then the arguments. */
export const refusing = <Options>(
  leaf: Command,
  faultOf: (options: Options, ...args: readonly string[]) => string | undefined,
): Command =>
  leaf.hook('preAction', (command) => {
    const fault = faultOf(command.opts() as Options, ...command.args)
    if (fault !== undefined) command.error(`error: ${fault}`)
  })
