import { createHash } from 'node:crypto'
import {
  defaultTokenNames,
  joseAccessTokens,
  type SigningKey,
  type VerificationKey,
} from '@account-import/adapter-access-tokens'
import { smtpCustomerNotifier, type SmtpCustomerNotifier } from '@account-import/adapter-email'
import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import { httpWebhookSender, type OnVendorAsked } from '@account-import/adapter-payment-vendor'
import {
  type AccessTokens,
  type Actor,
  bundledMarkets,
  type Clock,
  type CustomerNotifier,
  type Documents,
  machineClock,
  portFailure,
  type PortFailure,
  type PortResult,
  type Ports,
  randomPlatformAccountNumbers,
  rememberedDocuments,
  type Secrets,
  type ServiceSettings,
  type WithValidator,
  webCryptoSecrets,
} from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { ContainerModule, type ResolutionContext, Container } from 'inversify'
import type { ServerConfig } from '../config/read-config.js'
import { StartError } from '../start-error.js'
import { paymentVendorsModule } from './payment-vendors-module.js'
import { type LongBodies, longBodies } from '../long-bodies/long-bodies.js'
import { longBodiesId, portIds, useCasesId, serviceId } from './port-ids.js'
import { sqlModule, type SqlObservers } from './sql-module.js'

const settingsOf = (config: ServerConfig): ServiceSettings => ({
  timeZone: config.timeZone,
  defaultCountry: config.defaultCountry,
  processingClaimSeconds: config.processingClaimSeconds,
  markets: bundledMarkets,
  emails: {
    maxAttempts: config.mailAttempts,
    firstRetrySeconds: config.mailRetrySeconds,
    sendSeconds: config.mailTimeoutSeconds,
  },
  ...(config.processingConcurrencyLimit === undefined
    ? {}
    : { processingConcurrencyLimit: config.processingConcurrencyLimit }),
})

/** Binds the settings that the use cases read. */
const settingsModule = (config: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.settings).toConstantValue(settingsOf(config))
  })

/** Hashes in this thread. The Web Crypto API uses another thread, which takes several times as long for some kilobytes. */
const nodeSecrets: Secrets = {
  ...webCryptoSecrets,
  hash: async (secret) => createHash('sha256').update(secret).digest('hex'),
}

/** Called when the machine's clock was ahead and is followed back, with the milliseconds (`steadyClock`). */
type OnClockWentBack = (milliseconds: number) => void

/** Binds the ports of the process itself: time, randomness and account numbers. */
export const runtimeModule = (onClockWentBack?: OnClockWentBack): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.clock).toConstantValue(machineClock(onClockWentBack))
    bind(portIds.secrets).toConstantValue(nodeSecrets)
    bind(portIds.platformAccountNumbers).toConstantValue(randomPlatformAccountNumbers)
  })

/** All ports of the container. The type of `portIds` requires an id for each. */
const portsOf = (context: ResolutionContext): Ports =>
  Object.fromEntries(
    Object.entries(portIds).map(([name, id]) => [name, context.get<unknown>(id)]),
  ) as unknown as Ports

const validatorOf = (bodies: LongBodies | undefined): WithValidator =>
  bodies === undefined ? {} : { validator: bodies.validator }

/** Binds `useCasesId`: the use cases over the ports of the same container. `operator`: the actor of operator use cases. */
const useCasesModule = (operator: Actor): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(longBodiesId)
      .toResolvedValue(
        ({ markets }: ServiceSettings) => (markets === bundledMarkets ? longBodies() : undefined),
        [portIds.settings],
      )
      .inSingletonScope()
      .onDeactivation((bodies) => bodies?.close())
    bind(useCasesId)
      .toDynamicValue((context) =>
        makeUseCases({ ...portsOf(context), ...validatorOf(context.get(longBodiesId)) }, operator),
      )
      .inSingletonScope()
  })

const refused = async (operation: string): PortResult<never> =>
  E.left(portFailure('unexpected', 'accessTokens', operation, new Error('there is no signing key here')))

/** For processes that neither issue nor accept tokens, such as operator commands: every operation fails. */
const noAccessTokens: AccessTokens = {
  sign: () => refused('sign'),
  verify: () => refused('verify'),
}

/**
 * Binds access tokens to a signing key, and to further accepted keys. Without a signing key, as in operator commands, no token
 * is issued or accepted.
 */
const tokensModule = (key: SigningKey | undefined, accepted: readonly VerificationKey[]): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.accessTokens).toConstantValue(
      key === undefined ? noAccessTokens : joseAccessTokens(key, defaultTokenNames, accepted),
    )
  })

type Bucket = Extract<ServerConfig['documentStorage'], { kind: 'bucket' }>

const inBucket = ({ endpoint, accessKey, secretKey, bucket, region }: Bucket): Documents => {
  const { protocol, hostname, port } = new URL(endpoint)
  return minioDocuments({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    bucket,
    ...(region === undefined ? {} : { region }),
  })
}

const documentsIn = (storage: ServerConfig['documentStorage']): Documents => {
  if (storage.kind === 'folder') return folderDocuments(storage.path)
  try {
    return inBucket(storage)
  } catch (cause) {
    throw new StartError(
      'document_storage_not_usable',
      'The host that DOCUMENT_STORAGE_URL names cannot be used. Check it.',
      cause,
    )
  }
}

/** Called for a failure of the document storage, which stays invisible where a missing document is only a warning. */
export type OnDocumentFailure = (failure: PortFailure) => void

/** The same documents; reports each failed check of documents to `onFailure`. */
const watchedDocuments = (documents: Documents, onFailure?: OnDocumentFailure): Documents => ({
  ...documents,
  existing: async (keys, organisation) => {
    const existing = await documents.existing(keys, organisation)
    if (E.isLeft(existing)) onFailure?.(existing.left)
    return existing
  },
})

/**
 * Binds the documents to the configured storage, with a cache of existing documents for a minute. `onFailure` is called for
 * every failed call.
 */
const documentsModule = (config: ServerConfig, onFailure?: OnDocumentFailure): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.documents)
      .toResolvedValue(
        (clock: Clock) =>
          rememberedDocuments(watchedDocuments(documentsIn(config.documentStorage), onFailure), clock),
        [portIds.clock],
      )
      .inSingletonScope()
  })

/** The notifier without an SMTP server: `canSend` is false, so that all e-mails wait. */
const noNotifier: CustomerNotifier = {
  canSend: false,
  notify: async () => ({ _tag: 'unavailable', code: 'not_configured' }),
}

/** Binds the notifier of customers to the configured SMTP server; unbinding the container closes its connections. */
const notifierModule = ({
  mail,
  mailTemplates,
  mailTimeoutSeconds,
  timeZone,
}: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    if (mail === undefined) {
      bind(portIds.customerNotifier).toConstantValue(noNotifier)
      return
    }
    const smtpId = serviceId<SmtpCustomerNotifier>('smtpCustomerNotifier')
    bind(smtpId)
      .toDynamicValue(() =>
        smtpCustomerNotifier({
          ...mail,
          templates: mailTemplates,
          timeZone,
          milliseconds: mailTimeoutSeconds * 1000,
        }),
      )
      .inSingletonScope()
      .onDeactivation((notifier) => notifier.close())
    bind(portIds.customerNotifier)
      .toResolvedValue((notifier: SmtpCustomerNotifier): CustomerNotifier => notifier, [smtpId])
      .inSingletonScope()
  })

/** Binds the sender of messages to webhooks. */
const webhooksModule = (config: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { webhookPrivateAddresses: allowPrivateAddress, webhookTimeoutSeconds: sendSeconds } = config
    bind(portIds.webhookSender).toConstantValue(httpWebhookSender({ allowPrivateAddress, sendSeconds }))
  })

/** Callbacks for events of the adapters, such as for logs. */
export type Observers = SqlObservers &
  Readonly<{
    /** Called for failed calls of the document storage. */
    onDocumentFailure?: OnDocumentFailure
    /** Called for every call of a payment vendor. */
    onVendorAsked?: OnVendorAsked
    onClockWentBack?: OnClockWentBack
  }>

/** The options of the composition. */
export type ContainerOptions = Observers &
  Readonly<{
    /** The actor of operator use cases in audit events. Default: the service itself. */
    operator?: Actor
  }>

/** The modules of the bundled server, one for each adapter, for embedders with a container of their own. */
const serverModules = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  {
    onDocumentFailure,
    onVendorAsked,
    onClockWentBack,
    operator = { who: 'service' },
    ...sql
  }: ContainerOptions = {},
): readonly ContainerModule[] => [
  settingsModule(config),
  runtimeModule(onClockWentBack),
  tokensModule(signingKey, config.verificationKeys),
  sqlModule(config, sql),
  documentsModule(config, onDocumentFailure),
  notifierModule(config),
  paymentVendorsModule(config, onVendorAsked),
  webhooksModule(config),
  useCasesModule(operator),
]

/**
 * The composition of the bundled server; each adapter is opened on first use. Load further modules that `rebind` ports to replace
 * them. Call `await container.unbindAllAsync()` at the end: it closes the opened adapters.
 */
export const createContainer = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  observers: ContainerOptions = {},
): Container => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...serverModules(config, signingKey, observers))
  return container
}
